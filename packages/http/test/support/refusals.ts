import { assert } from "@effect/vitest"
import type { TestResponse } from "./testService.ts"

/** Checks that the response is an error with this id, a matching message, and the id of its request. */
export const assertRefusal = (
  { body, headers, status }: TestResponse,
  expectedStatus: number,
  id: string,
  message = /\S/u
) => {
  assert.deepStrictEqual([status, body.id], [expectedStatus, id], JSON.stringify(body))
  assert.strictEqual(body.statusCode, expectedStatus)
  assert.strictEqual(body.traceId, headers.get("x-request-id"))
  assert.strictEqual(body.doc_url, `/docs/errors#${id}`)
  assert.match(body.message, message)
}

/** Checks that `errors` contains exactly these problems, and that the message contains each path. */
export const assertProblems = (
  response: TestResponse,
  ...expectedProblems: ReadonlyArray<readonly [path: string, message: RegExp]>
) => {
  assertRefusal(response, 400, "BAD_REQUEST")
  const { errors, message } = response.body as {
    readonly message: string
    readonly errors: ReadonlyArray<Record<"path" | "code" | "message", string>>
  }
  const sortedJsonOf = (paths: ReadonlyArray<string>) => JSON.stringify([...paths].sort())
  assert.strictEqual(
    sortedJsonOf(errors.map(({ path }) => path)),
    sortedJsonOf(expectedProblems.map(([path]) => path)),
    message
  )
  for (const [path, pattern] of expectedProblems) {
    const problem = errors.find((error) => error.path === path && pattern.test(error.message))
    assert.isDefined(problem, `${path}: ${pattern} in ${JSON.stringify(errors)}`)
    assert.match(problem!.code, /^[a-z0-9_]+$/u)
    assert.include(message, path)
    assert.include(message, problem!.message)
  }
}
