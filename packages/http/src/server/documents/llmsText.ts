import { type AnyEndpoint, groupTitles } from "@countersign/adapters/api/endpoints"
import { groupAndName } from "../../api/apiOf.ts"
import { ERRORS_PATH } from "../../errors/index.ts"
import { DOCS_PATH, OPENAPI_PATH } from "../documentPaths.ts"

const titles: Readonly<Record<string, { readonly title: string; readonly description: string }>> = groupTitles

const line = ({ method, path, summary }: AnyEndpoint): string => {
  const template = path.replaceAll(/:(\w+)/gu, "{$1}")
  return `- [${method} ${template}](${OPENAPI_PATH}): ${summary}`
}

const section = (group: string, endpoints: ReadonlyArray<AnyEndpoint>): string => {
  const { description, title } = titles[group] ?? { title: group, description: "" }
  return [`## ${title}`, "", ...(description === "" ? [] : [`${description}.`, ""]), ...endpoints.map(line)].join("\n")
}

/** Builds an overview of the served endpoints for language models (llmstxt.org). */
export const llmsText = (servedEndpoints: ReadonlyArray<AnyEndpoint>): string => {
  const groups = [...Map.groupBy(servedEndpoints, (endpoint) => groupAndName(endpoint).group)]
  return `# Countersign

> Operations on smart wallets: the service prepares, the wallet's owner signs, the service executes and records.

- Every request carries the project's API key in the header \`x-api-key\`.
- Amounts are decimal strings in token units: \`"1.5"\` USDC.
- The service never has the key of a wallet's owner. A quote lists what to sign in \`signData\`; \`POST /api/v1/crypto/execute\` takes the signatures.
- An error has a stable \`id\`, and \`doc_url\` explains it.

## Reference

- [Reference](${DOCS_PATH}): every endpoint with its fields, examples and errors
- [OpenAPI document](${OPENAPI_PATH}): the same as OpenAPI 3.1
- [Errors](${ERRORS_PATH}): each error with its meaning and what to do

${groups.map(([group, endpoints]) => section(group, endpoints)).join("\n\n")}
`
}
