// The check of what a developer hands to the sandbox (settings, faults), by a JSON schema. One wording for the methods and the control API.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describeErrors } from '../contract/validator.ts'

/** The developer's own mistake, in words that say what is allowed. */
export class ShapeError extends Error {
  override name = 'ShapeError'
}

/** A function that returns its input if it has the shape, and else throws a ShapeError. `whole` is what to call the input. */
export function createShape<Value>(schema: object, whole: string): (input: unknown) => Value {
  let validate: ValidateFunction | undefined
  return (input) => {
    validate ??= new Ajv2020({ strictTypes: false, discriminator: true }).compile(schema)
    if (validate(input)) return input as Value
    throw new ShapeError(describeErrors(validate.errors, whole).join('; '))
  }
}
