import type { AnyEndpoint } from "@countersign/adapters/api/endpoints"
import { Context, Effect, Layer } from "effect"
import { FindMyWay, HttpRouter } from "effect/http"
import { exactPaths } from "./requestPath.ts"

/** A method and path that the server handles. */
export interface ServedRoute {
  readonly method: HttpRouter.Route<never, never>["method"]
  /** The path pattern, with `:name` for each parameter. */
  readonly path: HttpRouter.PathInput
  /** False if the route accepts requests without an API key. */
  readonly requiresKey: boolean
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

export class RouteTable extends Context.Service<
  RouteTable,
  {
    readonly routes: ReadonlyArray<ServedRoute>
    readonly find: (method: string, path: string) => ServedRoute | undefined
    /** Returns the methods of a path; empty if no route has this path. */
    readonly methodsOf: (path: string) => ReadonlyArray<string>
  }
>()("@countersign/http/server/RouteTable") {}

const routeTable = () => {
  const routes: Array<ServedRoute> = []
  const router = FindMyWay.make<ServedRoute>(exactPaths)
  const find = (method: string, path: string): ServedRoute | undefined =>
    // The router also handles HEAD like GET.
    router.find((method === "HEAD" ? "GET" : method) as (typeof METHODS)[number], path)?.handler
  return {
    /**
     * Adds a route. Throws if the method and path already exist, because the router would silently use only one of the
     * two.
     */
    record: (route: ServedRoute) => {
      const { method, path } = route
      if (routes.some((other) => other.method === method && other.path === path)) {
        throw new Error(`Two routes serve ${method} ${path}. Give the endpoint of your extension another path.`)
      }
      routes.push(route)
      router.on(route.method as (typeof METHODS)[number], route.path, route)
    },
    table: RouteTable.of({
      routes,
      find,
      methodsOf: (path) => METHODS.filter((method) => find(method, path) !== undefined)
    })
  }
}

/** Provides a router that also records its routes. A route requires a key if it belongs to one of `endpoints`. */
export const layerRouteTable = (endpoints: ReadonlyArray<AnyEndpoint>) => {
  const endpointKeys = new Set<string>(endpoints.map(({ method, path }) => `${method} ${path}`))
  return Layer.effectContext(
    Effect.map(HttpRouter.HttpRouter, (router) => {
      const { record, table } = routeTable()
      const recordingRouter = HttpRouter.HttpRouter.of({
        ...router,
        addAll: (routes) => {
          for (const { method, path } of routes) {
            record({ method, path, requiresKey: endpointKeys.has(`${method} ${path}`) })
          }
          return router.addAll(routes)
        },
        add: (method, path, handler, options) => {
          record({ method, path, requiresKey: false })
          return router.add(method, path, handler, options)
        }
      })
      return Context.make(RouteTable, table).pipe(Context.add(HttpRouter.HttpRouter, recordingRouter))
    })
  )
}
