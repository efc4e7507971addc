// Writes the types of everything that the API says and is told, as the client has them: `npm run client:types`.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import openapiTS, { astToString } from "openapi-typescript"
import ts from "typescript"
import { openApiDocument } from "./src/reference/index.ts"

/** viem's type for hexadecimal text. */
const hex = ts.factory.createTypeReferenceNode("Hex")

const HEADER = `// Made from the OpenAPI document by \`npm run client:types -w packages/http\`, which every check and build runs.

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

const nodes = await openapiTS(withoutRefusals(), {
  transform: (schema) => (schema.format === "hex" ? hex : undefined),
  defaultNonNullable: false
})
const text = HEADER + astToString(nodes)
const file = join(import.meta.dirname, "src/client/openapi.ts")
// A file that stays as it was is not compiled again.
if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text)
