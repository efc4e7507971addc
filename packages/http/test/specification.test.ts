import { readFileSync } from "node:fs"
import { join } from "node:path"
import { errorTable as servedErrors } from "@countersign/adapters/api/errors"
import { Api, wireErrors } from "@countersign/http"
import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"

/** Compares the API document with the endpoints: error ids, statuses, and the errors of each endpoint. */

const document = readFileSync(join(import.meta.dirname, "../../../docs/api.md"), "utf8")

const sectionOf = (title: string): string => {
  const [, body = ""] = document.split(`\n## ${title}\n`)
  return body.split("\n## ")[0] ?? ""
}

const errorTable = [...sectionOf("Errors").matchAll(/^\| ([A-Z_0-9]+) \| (\d{3}) \| .* \| (.*) \|$/gmu)].map(
  ([, id = "", status = "", endpoints = ""]) => ({ id, status: Number(status), endpoints })
)

interface DocumentedEndpoint {
  readonly method: string
  readonly path: string
  readonly text: string
}

const endpoints: ReadonlyArray<DocumentedEndpoint> = sectionOf("Endpoints")
  .split("\n### ")
  .slice(1)
  .map((text) => {
    const [, method = "", path = ""] = /^(GET|POST|PATCH|DELETE) (\S+)/u.exec(text) ?? []
    return { method: method.toLowerCase(), path, text }
  })

/**
 * Parses an endpoint's list of errors, such as "500 SWAP_QUOTE". "same as POST …" refers to the list of another
 * endpoint.
 */

const documentedErrorsOf = ({ text }: DocumentedEndpoint): ReadonlyMap<string, number> => {
  const listText = text.slice(text.lastIndexOf("Errors:"))
  const path = /same as POST (\S+?)\.\s/u.exec(listText)?.[1]
  const otherEndpoint =
    path === undefined ? undefined : endpoints.find((each) => each.method === "post" && each.path === path)
  if (otherEndpoint !== undefined) return documentedErrorsOf(otherEndpoint)
  return new Map([...listText.matchAll(/(\d{3}) ([A-Z][A-Z_0-9]+)/gu)].map(([, status, id]) => [id!, Number(status)]))
}

const openApi = OpenApi.fromApi(Api)

interface Operation {
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: object }> }>
}

const operations = new Map(
  Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => [`${method} ${path}`, operation])
  )
)

/** Returns the statuses of the errors that an endpoint declares, by error id, from its response schemas. */
const declaredErrorsOf = (operation: Operation): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(operation.responses).flatMap(([status, response]) =>
      [...JSON.stringify(response.content ?? {}).matchAll(/Error_([A-Z_0-9]+)/gu)].map(
        ([, id]) => [id!, Number(status)] as const
      )
    )
  )

const isDocumented = (id: string): boolean => errorTable.some((documented) => documented.id === id)

describe("the API document", () => {
  it("is parsed: 21 error ids, 20 endpoints", () => {
    assert.strictEqual(errorTable.length, 21)
    assert.strictEqual(endpoints.length, 20)
  })

  it("names no error id that the service does not define", () => {
    assert.deepStrictEqual(
      errorTable.filter(({ id }) => !(id in servedErrors)),
      []
    )
  })

  it.each(errorTable)("gives $id the status $status", ({ id, status }) => {
    assert.strictEqual(wireErrors[id as keyof typeof wireErrors].status, status)
  })

  const servedEndpoints = endpoints.filter(({ method, path }) => operations.has(`${method} ${path}`))

  it("contains no endpoint that is not served", () => {
    assert.sameMembers(
      endpoints
        .filter((endpoint) => !servedEndpoints.includes(endpoint))
        .map(({ method, path }) => `${method} ${path}`),
      []
    )
  })

  it("contains the expected endpoints: swap, batch, limit-order cancel, Bitcoin broadcast, liquidity, lending, user operation, wallets, history, portfolio, tax schedule, fiat, business verification", () => {
    assert.sameMembers(
      servedEndpoints.map(({ method, path }) => `${method} ${path}`),
      [
        "post /api/v1/crypto/swap",
        "post /api/v1/crypto/batch-operations",
        "post /api/v1/crypto/limit-orders/{transactionId}/cancel",
        "post /api/v1/crypto/bitcoin/broadcast",
        "post /api/v1/liquidity",
        "post /api/v1/liquidity/add",
        "post /api/v1/liquidity/withdraw",
        "post /api/v1/liquidity/rebalance",
        "get /api/v1/liquidity/pools/{id}",
        "get /api/v1/crypto/user-operation/{userOperationHash}",
        "post /api/v1/lending/quote",
        "get /api/v1/wallets/address",
        "get /api/v1/wallets",
        "get /api/v1/wallets/{walletAddress}/history",
        "get /api/v1/wallets/{walletAddress}/portfolio",
        "post /api/v1/wallets/{walletAddress}/tax-export/schedules",
        "post /api/v1/kyc/business-verification-sessions/standard",
        "post /api/v2/fiat/deposit",
        "post /api/v2/fiat/withdrawal",
        "get /api/v1/kyc/identities/{identityId}/financial-limits"
      ]
    )
  })

  it.each(servedEndpoints)("$method $path declares exactly the documented errors and the service's own", (endpoint) => {
    const operation = operations.get(`${endpoint.method} ${endpoint.path}`)!
    const declaredPairs = [...declaredErrorsOf(operation)].filter(([id]) => isDocumented(id)).sort()
    const documentedPairs = [...documentedErrorsOf(endpoint)].sort()
    assert.deepStrictEqual(declaredPairs, documentedPairs)
  })

  it.each([...operations.keys()].filter((key) => key.includes("/api/")))(
    "%s declares the errors of every endpoint",
    (key) => {
      const statusById = declaredErrorsOf(operations.get(key)!)
      assert.strictEqual(statusById.get("INVALID_API_KEY"), 401)
      assert.strictEqual(statusById.get("BAD_REQUEST"), 400)
      assert.strictEqual(statusById.get("FORBIDDEN_SCOPE"), 403)
    }
  )

  it.each([...operations.keys()])("%s declares the errors of an Idempotency-Key if it is a POST", (key) => {
    const statusById = declaredErrorsOf(operations.get(key)!)
    for (const id of ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENT_REQUEST_RUNNING"]) {
      assert.strictEqual(statusById.has(id), key.startsWith("post "), id)
    }
  })

  it.each([...operations.keys()])("%s declares 405, and 415 if it has a body", (key) => {
    const statusById = declaredErrorsOf(operations.get(key)!)
    assert.strictEqual(statusById.get("METHOD_NOT_ALLOWED"), 405)
    assert.strictEqual(statusById.has("UNSUPPORTED_MEDIA_TYPE"), "requestBody" in operations.get(key)!)
  })

  it.each([...operations.keys()])("%s declares each error under its own status", (key) => {
    for (const [id, status] of declaredErrorsOf(operations.get(key)!)) {
      assert.strictEqual(wireErrors[id as keyof typeof wireErrors].status, status, id)
    }
  })
})
