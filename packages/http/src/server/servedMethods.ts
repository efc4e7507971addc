import type { AnyEndpoint } from "@countersign/adapters/endpoints"
import { UPLOAD_PATH } from "@countersign/adapters/identity"
import { FindMyWay } from "effect/http"
import { ERRORS_PATH } from "../errors/index.ts"
import { APP_PATH, CALLBACKS_PATH, DOCS_PATH, FAVICON_PATH, OPENAPI_PATH } from "./documentPaths.ts"
import { exactPaths } from "./requestPath.ts"

/** The methods that a path takes; none where there is no such path. */
export type MethodsOf = (path: string) => ReadonlyArray<string>

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

const others = [
  "/",
  "/healthz",
  "/readyz",
  "/metrics",
  DOCS_PATH,
  OPENAPI_PATH,
  ERRORS_PATH,
  FAVICON_PATH,
  "/logos/chains/:file",
  "/logos/providers/:file",
  "/logos/tokens/:chainId/:file"
] as const

const appPaths = [APP_PATH, `${APP_PATH}/:file`] as const

/** The router only answers "no match". A second look with each method tells a wrong path from a wrong method. */
export const servedMethods = (served: ReadonlyArray<AnyEndpoint>, hasAppPage: boolean): MethodsOf => {
  const routes = FindMyWay.make<string>(exactPaths)
  for (const { method, path } of served) routes.on(method, path, method)
  for (const path of [...others, ...(hasAppPage ? appPaths : [])]) routes.on("GET", path, "GET")
  for (const path of [CALLBACKS_PATH, UPLOAD_PATH] as const) routes.on("POST", path, "POST")
  return (path) => methods.filter((method) => routes.find(method, path) !== undefined)
}
