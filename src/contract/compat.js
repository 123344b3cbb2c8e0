// The Redocly decorator that turns openapi.yaml (OpenAPI 3.1, exact) into the edition for other languages' code generators
// (OpenAPI 3.0.3, no unions). Both describe the same wire; `docs/contract.md` lists what changes and why.
//
// It knows no schema by name. A union of objects becomes one object with the members of all of them: a member is required if every
// alternative requires it, and may be anything if the alternatives type it differently.

export default function contract() {
  return {
    id: 'contract',
    decorators: {
      oas3: {
        compat: () => ({ Schema: { leave: simplify }, Root: { leave: toCompat } }),
      },
    },
  }
}

/** Rewrites one schema, in place, to what OpenAPI 3.0 can say and generators can take. */
function simplify(schema) {
  if (schema.$ref || schema.oneOf) return
  for (const keyword of ['const', 'if', 'then']) delete schema[keyword]
  if (schema.properties) delete schema.additionalProperties // C# and Kotlin would make the model a dictionary and lose its members
  if (!schema.type) schema.nullable = true // NSwag refuses null in "any value" without it
}

function toCompat(root) {
  root.openapi = '3.0.3'
  root.info.description = `> **The edition for code generators**: OpenAPI 3.0.3 without unions, derived from \`openapi.yaml\`.\n\n${root.info.description}`
  delete root.info.summary
  delete root.info.license.identifier
  root.info.license.url = 'https://www.apache.org/licenses/LICENSE-2.0'

  const { schemas } = root.components
  const unions = Object.values(schemas).filter((schema) => schema.oneOf)
  const alternatives = unions.flatMap((union) => union.oneOf.map(nameOf))
  for (const union of unions) mergeUnion(union, schemas)
  const used = JSON.stringify(root)
  for (const name of alternatives) if (!used.includes(`"${refTo(name)}"`)) delete schemas[name]
}

function mergeUnion(union, schemas) {
  const alternatives = union.oneOf.map((ref) => schemas[nameOf(ref)])
  const properties = {}
  for (const alternative of alternatives) {
    for (const [name, property] of Object.entries(alternative.properties)) {
      const other = properties[name]
      properties[name] = other && other.type !== property.type ? anyOf(other, property) : property
    }
  }
  const required = Object.keys(properties).filter((name) => alternatives.every((each) => each.required.includes(name)))
  delete union.oneOf
  Object.assign(union, { type: 'object', ...(required.length > 0 && { required }), properties })
}

function anyOf(one, other) {
  return {
    description: `A ${one.type} (${one.description.replace(/[.]$/, '')}) or an ${other.type} (${other.description.replace(/[.]$/, '')}).`,
    nullable: true,
    example: one.example,
  }
}

const refTo = (name) => `#/components/schemas/${name}`
const nameOf = ({ $ref }) => $ref.slice(refTo('').length)
