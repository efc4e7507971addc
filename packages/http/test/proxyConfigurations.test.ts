import { readFileSync } from "node:fs"
import { MAX_DOCUMENT_BYTES, UPLOAD_PATH } from "@countersign/adapters/identity"
import { assert, describe, it } from "@effect/vitest"

const MEBIBYTE = 1_048_576

const configurationOf = (name: string) =>
  readFileSync(new URL(`../../../docs/deploy/${name}`, import.meta.url), "utf8").replaceAll(/#.*/gu, "")

const mebibytes = (configuration: string, limit: RegExp): number => Number(limit.exec(configuration)?.[1])

describe("the proxy configurations", () => {
  it.each([
    ["nginx.conf", `location = ${UPLOAD_PATH} \\{[^}]*client_max_body_size (\\d+)m;`],
    ["Caddyfile", `@uploads path ${UPLOAD_PATH}\\n\\s*request_body @uploads \\{\\s*max_size (\\d+)MiB`]
  ])("let %s pass the largest document, with room for the fields around it", (name, limit) => {
    const bytes = mebibytes(configurationOf(name), new RegExp(limit, "u")) * MEBIBYTE
    assert.isAtLeast(bytes, MAX_DOCUMENT_BYTES + MEBIBYTE)
  })

  it.each([
    ["nginx.conf", /^ {4}client_max_body_size (\d+)m;/mu],
    ["Caddyfile", /@others not path [^\n]*\n\s*request_body @others \{\s*max_size (\d+)MiB/u]
  ])("let %s limit the bodies of all other requests to the default of MAX_BODY_BYTES", (name, limit) => {
    assert.strictEqual(mebibytes(configurationOf(name), limit), 1)
  })

  it("use only directives that nginx 1.22 has", () => {
    const configuration = configurationOf("nginx.conf")
    assert.match(configuration, /listen 443 ssl http2;/u)
    // Since nginx 1.25.1.
    assert.notMatch(configuration, /http2 on;/u)
  })
})
