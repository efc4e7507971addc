import v8 from "node:v8"
import { runInNewContext } from "node:vm"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import type { TestService } from "../support/testService.ts"
import { Chance } from "./Chance.ts"
import type { JsonSchema, OpenApiDocument, Operation } from "./JsonSchema.ts"
import { type KnownValues, Values } from "./values.ts"

export interface FuzzOptions {
  readonly seed: number
  readonly requests: number
  /** Minimum number of requests, even after the time limit. */
  readonly requestsMin: number
  readonly millisecondsMax: number
  readonly concurrency: number
  readonly knownValues: KnownValues
  readonly onProgress?: (doneCount: number) => void
}

export interface FuzzResult {
  readonly requests: number
  readonly byStatus: ReadonlyMap<number, number>
  /** Unexpected failures, hanging requests, and responses that the OpenAPI document does not allow. */
  readonly findings: ReadonlyArray<string>
  /** Live heap in MB after the warm-up (null if the run ended before), and at the end. */
  readonly heldMb: { readonly warm: number | null; readonly end: number }
}

/** Response statuses that are valid for any request, even if the document does not declare them. */
const statusesOfAnyRequest = new Set([400, 401, 404, 405, 413, 414, 415, 429, 431, 503])
const REQUEST_TIMEOUT_MS = 240_000
const FINDINGS_MAX = 20

const errorBody: JsonSchema = {
  type: "object",
  required: ["statusCode", "id", "message", "traceId"],
  properties: {
    statusCode: { type: "integer" },
    id: { type: "string" },
    message: { type: "string" },
    traceId: { type: "string" }
  }
}

const itemTextOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value)

const queryTextOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(itemTextOf).join(",") : itemTextOf(value)

/** Corrupts the text of a body in one of five ways. */
const mutateText = (chance: Chance, text: string): string => {
  switch (chance.below(5)) {
    case 0:
      return text.slice(0, chance.below(text.length + 1))
    case 1:
      return `${text}${text}`
    case 2:
      return text.replace(/"/u, "'")
    case 3:
      return `${"[".repeat(5_000)}${text}`
    default:
      return `${text.slice(0, 5)}\u0000${text.slice(5)}`
  }
}

v8.setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

/** Returns the live heap in MB, after a garbage collection. */
const heapMb = (): number => {
  collectGarbage()
  return Math.round(process.memoryUsage().heapUsed / 2 ** 20)
}

/** Number of requests after which the caches are full and the code is compiled. Growth is measured from then on. */
const WARM_UP_REQUESTS = 2_000

/** Sends random, mutated and boundary requests to random operations of the service's OpenAPI document. */
export const fuzz = async (service: TestService, options: FuzzOptions): Promise<FuzzResult> => {
  const document: OpenApiDocument = (await service.request("GET", "/openapi.json")).body
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: "api", components: document.components })
  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (schema: JsonSchema): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components')
    const validator = validators.get(text) ?? ajv.compile(JSON.parse(text))
    validators.set(text, validator)
    return validator
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
  )

  const byStatus = new Map<number, number>()
  const findings: Array<string> = []
  const chance = new Chance(options.seed)
  const addFinding = (finding: string) => {
    if (findings.length < FINDINGS_MAX) findings.push(finding)
  }

  const requestOf = (path: string, operation: Operation) => {
    const values = new Values(chance, document, options.knownValues, chance.of([0, 0.01, 0.05, 0.3]))
    const query = new URLSearchParams()
    let url = path
    for (const { in: location, name, required, schema } of operation.parameters ?? []) {
      const value = queryTextOf(values.of(schema, name))
      if (location === "path")
        url = url.replace(`{${name}}`, encodeURIComponent(value.slice(0, 2_000).replaceAll("\ud800", "")) || "x")
      else if (location === "query" && (required === true || chance.happens(0.3)))
        query.append(name, value.slice(0, 2_000).replaceAll("\ud800", ""))
    }
    if (chance.happens(0.02)) query.append("surprise", "1")
    const search = query.toString()
    const bodySchema = operation.requestBody?.content["application/json"]?.schema
    const body = bodySchema === undefined ? undefined : JSON.stringify(values.of(bodySchema, "body"))
    return {
      url: search === "" ? url : `${url}?${search}`,
      body: body !== undefined && chance.happens(0.03) ? mutateText(chance, body) : body
    }
  }

  const check = (label: string, operation: Operation, status: number, text: string, contentType: string) => {
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
    const declaredResponse = operation.responses[String(status)]
    if (status >= 500 && declaredResponse === undefined && status !== 503)
      return addFinding(`${label}: ${status} ${text.slice(0, 300)}`)
    if (text.includes('"INTERNAL_SERVER_ERROR"')) return addFinding(`${label}: ${text.slice(0, 300)}`)
    if (declaredResponse === undefined && !statusesOfAnyRequest.has(status))
      return addFinding(`${label}: undeclared status ${status}`)
    if (!contentType.includes("json")) return
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return addFinding(`${label}: ${status} with a body that is no JSON: ${text.slice(0, 100)}`)
    }
    if (status >= 400 && !validatorOf(errorBody)(body))
      return addFinding(`${label}: ${status} without the error body: ${text.slice(0, 200)}`)
    const schema = declaredResponse?.content?.["application/json"]?.schema
    const isGenericError = status >= 400 && statusesOfAnyRequest.has(status)
    if (schema !== undefined && !isGenericError) {
      const validate = validatorOf(schema)
      if (!validate(body))
        addFinding(`${label}: ${status} does not fit the document: ${ajv.errorsText(validate.errors).slice(0, 300)}`)
    }
  }

  const runOnce = async () => {
    const { method, operation, path } = chance.of(operations)
    const { body, url } = requestOf(path, operation)
    const headers: Record<string, string> = {
      "x-api-key": chance.happens(0.98) ? service.apiKey : chance.of(["", "x", "cs_live_a"])
    }
    if (body !== undefined)
      headers["content-type"] = chance.happens(0.99)
        ? "application/json"
        : chance.of(["text/plain", "application/xml", ""])
    if (chance.happens(0.05)) headers["idempotency-key"] = chance.of(["k1", "k2", "k3", "bad key"])
    const label = `${method} ${url.slice(0, 300)} ${body?.slice(0, 400) ?? ""}`
    try {
      const response = await fetch(service.baseUrl + url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS)
      })
      const contentType = response.headers.get("content-type") ?? ""
      // Cancels the body of an event stream, because it never ends.
      if (contentType.startsWith("text/event-stream")) await response.body?.cancel()
      else check(label, operation, response.status, await response.text(), contentType)
    } catch (error) {
      addFinding(
        `${label}: ${error instanceof Error ? `${error.message} ${String(error.cause ?? "")}` : String(error)}`
      )
    }
  }

  let warmHeapMb: number | null = null
  const deadline = Date.now() + options.millisecondsMax
  let startedCount = 0
  const runClient = async () => {
    while (startedCount < options.requests && (startedCount < options.requestsMin || Date.now() < deadline)) {
      startedCount += 1
      if (startedCount === WARM_UP_REQUESTS) warmHeapMb = heapMb()
      if (startedCount % 1_000 === 0) options.onProgress?.(startedCount)
      await runOnce()
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, runClient))
  return { requests: startedCount, byStatus, findings, heldMb: { warm: warmHeapMb, end: heapMb() } }
}
