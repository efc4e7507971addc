import { deliveryBody, endpointBody, WireEventFilter } from "@countersign/adapters/wire"
import {
  type NewWebhook,
  type WebhookDelivery,
  type WebhookEndpoint,
  Webhooks,
  type WebhookWithSecret
} from "@countersign/core/webhooks"
import { DateTime, Duration, Effect, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { asFlags } from "../input/asFlags.ts"
import { readAsDuration, within } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, tableOrHint } from "../output/table.ts"
import { listen } from "./webhookListen.ts"

const idArgument = Argument.String("webhook-id").pipe(
  Argument.withDescription("Id of the webhook, as `webhook list` shows it")
)

const isFilter = Schema.is(WireEventFilter)

const filtersOrNone = (text: string): Option.Option<NewWebhook["eventTypes"]> => {
  const [first = "", ...others] = text.split(",").map((word) => word.trim())
  return isFilter(first) && others.every(isFilter) ? Option.some([first, ...others]) : Option.none()
}

const stateOf = ({ disabledAt, disabledReason, failingSince }: WebhookEndpoint): string => {
  if (disabledAt !== null) return `disabled: ${disabledReason}`
  return failingSince === null ? "enabled" : `failing since ${DateTime.formatIso(failingSince)}`
}

const endpointCard = (endpoint: WebhookEndpoint) =>
  [
    ["webhook", endpoint.id],
    ["url", endpoint.url],
    ["events", endpoint.eventTypes === null ? "all" : endpoint.eventTypes.join(", ")],
    ["state", stateOf(endpoint)]
  ] as const

const deliveryCard = (delivery: WebhookDelivery) =>
  card([
    ["delivery", delivery.id],
    ["event", `${delivery.eventType} ${delivery.eventId}`],
    ["state", delivery.status],
    ["next attempt", delivery.nextAttemptAt === null ? null : DateTime.formatIso(delivery.nextAttemptAt)]
  ])

const printWithSecret = (json: boolean, { endpoint, secret }: WebhookWithSecret, note: string) =>
  print(json, { webhook: endpointBody(endpoint), secret: Redacted.value(secret) }, () =>
    card([...endpointCard(endpoint), ["secret", Redacted.value(secret)], ["note", note]])
  )

const create = Command.make(
  "create",
  {
    url: Argument.String("url").pipe(Argument.withDescription("Where events are sent to")),
    events: Flag.String("events").pipe(
      Flag.withDescription(
        "Which events, separated by commas, such as transaction.*,wallet.deployed; all when not given"
      ),
      Flag.filterMap(
        filtersOrNone,
        (text) => `Expected event types such as transaction.completed, or kinds such as transaction.*, not ${text}`
      ),
      Flag.optional
    ),
    description: Flag.String("description").pipe(Flag.withDescription("What it is for"), Flag.withDefault("")),
    project: projectFlag,
    json: jsonFlag
  },
  ({ description, events, json, project, url }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        const newWebhook = yield* (yield* Webhooks).create(id, {
          url,
          description,
          eventTypes: Option.getOrNull(events)
        })
        yield* printWithSecret(json, newWebhook, "The secret is not shown again; receivers verify deliveries with it.")
      })
    )
).pipe(Command.withDescription("Create a webhook and show its secret, which is not shown again"))

const list = Command.make("list", { project: projectFlag, json: jsonFlag }, ({ json, project }) =>
  withServices(
    Effect.gen(function* () {
      const { id } = yield* chosenProject(project)
      const webhooks = yield* (yield* Webhooks).list(id)
      yield* print(json, { webhooks: webhooks.map(endpointBody) }, () =>
        tableOrHint(
          ["ID", "URL", "EVENTS", "STATE", "CREATED"],
          webhooks.map((endpoint) => [
            endpoint.id,
            endpoint.url,
            endpoint.eventTypes?.join(",") ?? "all",
            stateOf(endpoint),
            DateTime.formatIso(endpoint.createdAt)
          ]),
          "There is no webhook yet. Make one with `countersign webhook create URL`."
        )
      )
    })
  )
).pipe(Command.withDescription("List a project's webhooks"))

const remove = Command.make(
  "delete",
  { webhook: idArgument, project: projectFlag, json: jsonFlag },
  ({ json, project, webhook }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        yield* (yield* Webhooks).remove(id, webhook)
        yield* print(json, { id: webhook, deleted: true }, () => `Webhook ${webhook} is deleted with its deliveries.`)
      })
    )
).pipe(Command.withDescription("Delete a webhook with its deliveries"))

const enable = Command.make(
  "enable",
  { webhook: idArgument, project: projectFlag, json: jsonFlag },
  ({ json, project, webhook }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        const endpoint = yield* (yield* Webhooks).enable(id, webhook)
        yield* print(json, { webhook: endpointBody(endpoint) }, () => card(endpointCard(endpoint)))
      })
    )
).pipe(Command.withDescription("Enable a webhook that was disabled"))

const rotate = Command.make(
  "rotate",
  {
    webhook: idArgument,
    overlap: Flag.String("overlap").pipe(
      Flag.withDescription(
        "How long deliveries are also signed with the earlier secrets, such as 1h; a day when not given"
      ),
      readAsDuration,
      Flag.withDefault(Duration.days(1))
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ json, overlap, project, webhook }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        const overlapSeconds = Math.round(Duration.toSeconds(overlap))
        const rotation = yield* (yield* Webhooks).rotate(id, webhook, { overlapSeconds })
        yield* printWithSecret(json, rotation, "Until the overlap ends, deliveries are signed with both secrets.")
      }).pipe(asFlags({ overlapSeconds: "--overlap" }))
    )
).pipe(Command.withDescription("Replace a webhook's secret and show the new one, which is not shown again"))

const test = Command.make(
  "test",
  { webhook: idArgument, project: projectFlag, json: jsonFlag },
  ({ json, project, webhook }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        const delivery = yield* (yield* Webhooks).test(id, webhook)
        yield* print(json, { delivery: deliveryBody(delivery) }, () => deliveryCard(delivery))
      })
    )
).pipe(Command.withDescription("Send a webhook.test event; the running service delivers it"))

const deliveries = Command.make(
  "deliveries",
  {
    webhook: idArgument,
    take: Flag.Int("take").pipe(Flag.withDescription("How many, 1 to 100"), within(1, 100), Flag.withDefault(20)),
    project: projectFlag,
    json: jsonFlag
  },
  ({ json, project, take, webhook }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        const page = yield* (yield* Webhooks).deliveries(id, webhook, { lastId: null, take })
        yield* print(json, { nextLastId: page.nextLastId, deliveries: page.deliveries.map(deliveryBody) }, () =>
          tableOrHint(
            ["ID", "EVENT", "RESOURCE", "#", "STATE", "ATTEMPTS", "LAST ANSWER", "NEXT ATTEMPT"],
            page.deliveries.map((delivery) => [
              delivery.id,
              delivery.eventType,
              delivery.resource,
              delivery.sequence,
              delivery.status,
              delivery.attempts,
              delivery.lastError ?? delivery.lastStatus,
              delivery.nextAttemptAt === null ? null : DateTime.formatIso(delivery.nextAttemptAt)
            ]),
            "Nothing was sent yet. Try `countersign webhook test WEBHOOK-ID`."
          )
        )
      })
    )
).pipe(Command.withDescription("List the deliveries to a webhook, newest first"))

const redeliver = Command.make(
  "redeliver",
  {
    webhook: idArgument,
    delivery: Argument.String("delivery-id").pipe(
      Argument.withDescription("Id of the delivery, as `webhook deliveries` shows it")
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ delivery, json, project, webhook }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        const redelivery = yield* (yield* Webhooks).redeliver(id, webhook, delivery)
        yield* print(json, { delivery: deliveryBody(redelivery) }, () => deliveryCard(redelivery))
      })
    )
).pipe(Command.withDescription("Send an event again, the same bytes under the same id"))

export const webhook = Command.make("webhook").pipe(
  Command.withSubcommands([create, list, remove, enable, rotate, test, deliveries, redeliver, listen])
)
