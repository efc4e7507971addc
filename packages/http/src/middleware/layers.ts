import { BadRequest, type RequestProblem } from "@countersign/core/errors"
import { Projects } from "@countersign/core/projects"
import { Effect, Layer, Redacted, SchemaIssue } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { toBody } from "../errors/index.ts"
import { requestInfo } from "../server/RequestInfo.ts"
import { CurrentCaller, MalformedRequest, ProjectAuth } from "./definitions.ts"

export const layerProjectAuth = Layer.effect(
  ProjectAuth,
  Effect.gen(function* () {
    const projects = yield* Projects
    return ProjectAuth.of({
      apiKey: Effect.fnUntraced(function* (httpEffect, { credential }) {
        // An absent header arrives as an empty credential, which is no valid key either.
        const caller = yield* Effect.mapError(projects.authenticate(Redacted.value(credential)), toBody)
        requestInfo().projectId = caller.project.id
        return yield* Effect.provideService(httpEffect, CurrentCaller, caller)
      })
    })
  })
)

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

const places = { Params: "path", Query: "query", Headers: "headers", Payload: "body", Body: "body" } as const

const codeOf = (message: string): string =>
  /missing/iu.test(message) ? "missing" : /excess|unexpected/iu.test(message) ? "unknown_field" : "invalid"

export const layerMalformedRequest = HttpApiMiddleware.layerSchemaErrorTransform(MalformedRequest, (error) => {
  // A response that its own schema rejects is our fault, not the client's.
  if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.fail(error)
  const place = places[error.kind as keyof typeof places] ?? String(error.kind).toLowerCase()
  const problems = formatIssue(error.cause.issue).issues.map((issue): RequestProblem => {
    const path = (issue.path ?? []).map((key) => String(typeof key === "object" ? key.key : key))
    return { path: [place, ...path].join("."), code: codeOf(issue.message), message: issue.message }
  })
  const [first = { path: place, code: "invalid", message: "Malformed" }, ...others] = problems
  return Effect.fail(toBody(new BadRequest({ problems: [first, ...others] })))
})
