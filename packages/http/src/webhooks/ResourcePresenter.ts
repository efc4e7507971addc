import type { EventKind } from "@countersign/core/events"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { PublicUrl } from "../handlers/asCaller.ts"

/** A resource as the API shows it. */
export type ResourceBody = Readonly<Record<string, unknown>>

/** Shows the resources of one kind of events. */
export interface ResourcePresenter<R> {
  readonly kind: string
  readonly types: ReadonlyArray<string>
  /** Made once; then it shows the resource of each snapshot. */
  readonly ofSnapshot: Effect.Effect<(snapshot: string) => Effect.Effect<ResourceBody>, never, R>
}

/** A presenter for an event kind. `present` takes its services once and answers how to show one resource. */
export const resourcePresenter = <Type extends string, Resource, R>(
  { kind, resourceOf, types }: EventKind<Type, Resource>,
  present: Effect.Effect<(resource: Resource) => Effect.Effect<ResourceBody>, never, R>
): ResourcePresenter<R> => ({
  kind,
  types,
  ofSnapshot: Effect.map(present, (show) => (snapshot) => Effect.suspend(() => show(resourceOf(snapshot))))
})

/** A wildcard address can be listened on, but clients cannot connect to it. */
const reachable = (url: string) => url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//127.0.0.1:")

/** What the links of an event begin with: PUBLIC_URL, or else the address that we listen on. */
export const eventBaseUrl = Effect.gen(function* () {
  const listenUrl = yield* HttpServer.addressFormattedWith((url) => Effect.succeed(url))
  return (yield* PublicUrl) ?? reachable(listenUrl)
})
