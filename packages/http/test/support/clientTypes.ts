import openapiTS, { astToString } from "openapi-typescript"
import ts from "typescript"
import { openApiDocument } from "../../src/reference/index.ts"

/** viem's type for hexadecimal text. */
const hex = ts.factory.createTypeReferenceNode("Hex")

const HEADER = `// Made from the OpenAPI document by \`npm run client:types -w packages/http\`. Do not edit.

/** Hexadecimal text, as viem has it. */
export type Hex = \`0x\${string}\`

`

/** The document without the answers that become errors of the client, and without headers: the client reads those itself. */
const withoutRefusals = () =>
  JSON.parse(
    JSON.stringify(openApiDocument(), (key, value) =>
      key === "responses"
        ? Object.fromEntries(Object.entries(value).filter(([status]) => status.startsWith("2")))
        : ["headers", "links", "webhooks", "securitySchemes"].includes(key)
          ? undefined
          : value
    )
  )

/** The TypeScript of everything that the API says and is told. */
export const clientTypes = async (): Promise<string> => {
  const nodes = await openapiTS(withoutRefusals(), {
    transform: (schema) => (schema.format === "hex" ? hex : undefined),
    defaultNonNullable: false
  })
  return HEADER + astToString(nodes)
}
