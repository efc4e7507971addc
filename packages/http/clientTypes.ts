// Writes the types of the API for the client and the library, and the client's table of requests: `npm run client:types`.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import openapiTS, { astToString } from "openapi-typescript"
import ts from "typescript"
import { callsText, combinedCallsText, tableText } from "./callTypes.ts"
import { openApiDocument } from "./src/reference/index.ts"

/** viem's type for hexadecimal text. */
const hex = ts.factory.createTypeReferenceNode("Hex")

const HEADER =
  "// Generated from the endpoints by `npm run client:types -w packages/http`, which every check and build runs.\n"

const HEX = `
/** Hexadecimal text, as viem has it. */
export type Hex = \`0x\${string}\`

`

const { components, webhooks: _, ...document } = openApiDocument()

/** The document with only successful responses, without headers and links. Callers decode errors themselves. */
const responses = JSON.parse(
  JSON.stringify(
    { ...document, components: { schemas: (components as { readonly schemas: unknown }).schemas } },
    (key, value) =>
      key === "responses"
        ? Object.fromEntries(
            Object.entries<Record<string, unknown>>(value).flatMap(([status, { content, description }]) =>
              status.startsWith("2") ? [[status, { description, content }]] : []
            )
          )
        : value
  )
)

const nodes = await openapiTS(responses, {
  transform: (schema) => (schema.format === "hex" ? hex : undefined),
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  rootTypesKeepCasing: true
})
const types = HEADER + HEX + astToString(nodes)
const calls = (options: string, signing: string) =>
  HEADER +
  callsText(responses, `import type { CallOptions } from "${options}"\nimport type { Signable } from "${signing}"\n`)

/** Does not write an unchanged file, so that it is not compiled again. */
const write = (file: string, text: string): void => {
  const path = join(import.meta.dirname, file)
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text)
}

const client = "src/client"
write(`${client}/openapi.ts`, types)
write(`${client}/calls.ts`, calls("./http.ts", "./signing.ts"))
write(`${client}/requests.ts`, tableText())
const library = "../adapters/src/service/countersign"
write(`${library}/openapi.ts`, types)
write(`${library}/calls.ts`, calls("./requests.ts", "./signQuote.ts"))
write(
  `${client}/combinedCalls.ts`,
  combinedCallsText(readFileSync(join(import.meta.dirname, library, "combinedCalls.ts"), "utf8"))
)
