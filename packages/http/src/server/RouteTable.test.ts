import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { layerRouteTable, RouteTable } from "./RouteTable.ts"

const route = (method: "GET" | "POST", path: HttpRouter.PathInput) =>
  HttpRouter.use((router) => router.add(method, path, HttpServerResponse.empty()))

const tableOf = (...routes: ReadonlyArray<ReturnType<typeof route>>) =>
  Effect.exit(
    RouteTable.pipe(
      Effect.provide(
        Layer.mergeAll(Layer.empty, ...routes).pipe(
          Layer.provideMerge(layerRouteTable([])),
          Layer.provide(HttpRouter.layer)
        )
      )
    )
  )

describe("RouteTable", () => {
  it.effect("finds a route by its method and path, and handles HEAD like GET", () =>
    Effect.gen(function* () {
      const table = yield* Effect.flatten(tableOf(route("GET", "/a/:id"), route("POST", "/a/:id")))
      assert.strictEqual(table.find("HEAD", "/a/7")?.method, "GET")
      assert.strictEqual(table.find("POST", "/a/7")?.path, "/a/:id")
      assert.deepStrictEqual(table.methodsOf("/a/7"), ["GET", "POST"])
      assert.isUndefined(table.find("GET", "/b"))
    })
  )

  it.effect("rejects two routes with the same method and path", () =>
    Effect.gen(function* () {
      const exit = yield* tableOf(route("GET", "/a"), route("GET", "/a"))
      assert.isTrue(Exit.isFailure(exit))
      const cause = Exit.isFailure(exit) ? exit.cause : Cause.empty
      assert.match(String(Cause.squash(cause)), /Two routes serve GET \/a/u)
    })
  )
})
