import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createSignature } from '../../src/signature.ts'

const { examples } = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')).components

describe('the examples of the contract', () => {
  it.each(['LoginSigned', 'LoginStaleTimestamp'])('%s is signed with dev-secret, as the contract says', async (name) => {
    const { signature, ...request } = examples[name].value
    expect(await createSignature('dev-secret', request)).toBe(signature)
  })

  it('LoginWrongSecret is not', async () => {
    const { signature, ...request } = examples.LoginWrongSecret.value
    expect(await createSignature('dev-secret', request)).not.toBe(signature)
  })

  it.each(['LoggedIn', 'Refreshed'])('%s has an access token that lives as long as expiresIn says', (name) => {
    const { accessToken, expiresIn } = examples[name].value
    const { iat, exp } = JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url').toString())
    expect(exp - iat).toBe(expiresIn)
  })
})
