import type { EventKind } from "@countersign/core/events"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { PublicUrl } from "../handlers/asCaller.ts"

/** A resource as the API answers it, ready to be made JSON. */
export type ResourceBody = Readonly<Record<string, unknown>>

/** How the resources of one kind of events are shown. */
export interface ResourcePresenter<R> {
  readonly kind: string
  readonly types: ReadonlyArray<string>
  /** From what is kept of the resource with the event. */
  readonly ofSnapshot: Effect.Effect<(snapshot: string) => Effect.Effect<ResourceBody>, never, R>
}

/** Registers a presenter: what it needs is taken once, then every resource of the kind is shown with it. */
export const resourcePresenter = <Type extends string, Resource, R>(
  { kind, resourceOf, types }: EventKind<Type, Resource>,
  present: Effect.Effect<(resource: Resource) => Effect.Effect<ResourceBody>, never, R>
): ResourcePresenter<R> => ({
  kind,
  types,
  ofSnapshot: Effect.map(present, (show) => (snapshot) => Effect.suspend(() => show(resourceOf(snapshot))))
})

/** The wildcard address is one to listen on, not one to go to. */
const reachable = (url: string) => url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//127.0.0.1:")

/** What the links of an event begin with: PUBLIC_URL, or else the address that we listen on. */
export const eventBaseUrl = Effect.gen(function* () {
  const listening = yield* HttpServer.addressFormattedWith((url) => Effect.succeed(url))
  return (yield* PublicUrl) ?? reachable(listening)
})
