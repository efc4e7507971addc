import { EventPresenter } from "@countersign/core/events"
import { webhookEvents } from "@countersign/core/webhooks"
import { Effect, Layer } from "effect"
import { resourcePresenter } from "./ResourcePresenter.ts"
import { transactionPresenter } from "./transactionPresenter.ts"
import { walletPresenter } from "./walletPresenter.ts"

const webhookPresenter = resourcePresenter(webhookEvents, Effect.succeed(Effect.succeed))

/** One for each kind of events: a new feature adds its own here. */
export const eventPresenters = [transactionPresenter, walletPresenter, webhookPresenter] as const

/** Shows resources in events as the API does. An event of an unknown kind fails alone. */
export const layerEventPresenter = Layer.effect(
  EventPresenter,
  Effect.gen(function* () {
    const byKind = new Map(
      yield* Effect.forEach(eventPresenters, ({ kind, ofSnapshot }) =>
        Effect.map(ofSnapshot, (present) => [kind, present] as const)
      )
    )
    return EventPresenter.of({
      present: ({ resource, snapshot }) => {
        const present = byKind.get(resource.kind)
        return present === undefined
          ? Effect.die(new Error(`no presenter for events of the kind "${resource.kind}"`))
          : present(snapshot)
      }
    })
  })
)
