import { Duration, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { projectFlag } from "../environment/project.ts"
import { asFlags } from "../input/asFlags.ts"
import { readAsDuration, requireWithin } from "../input/readAs.ts"
import { jsonFlag } from "../output/print.ts"
import { printResponse } from "../output/printResponse.ts"
import { card, tableOrHint } from "../output/table.ts"
import { listen } from "./webhookListen.ts"

const idArgument = Argument.String("webhook-id").pipe(
  Argument.withDescription("Id of the webhook, as `webhook list` shows it")
)

/** Splits comma-separated event types and groups. The endpoint validates them. */
const eventTypesOf = (text: string): ReadonlyArray<string> => text.split(",").map((word) => word.trim())

interface Endpoint {
  readonly id: string
  readonly url: string
  readonly eventTypes: ReadonlyArray<string> | null
  readonly disabledAt: string | null
  readonly disabledReason: string | null
  readonly failingSince: string | null
}

const stateOf = ({ disabledAt, disabledReason, failingSince }: Endpoint): string => {
  if (disabledAt !== null) return `disabled: ${disabledReason}`
  return failingSince === null ? "enabled" : `failing since ${failingSince}`
}

const endpointRows = (endpoint: Endpoint) =>
  [
    ["webhook", endpoint.id],
    ["url", endpoint.url],
    ["events", endpoint.eventTypes === null ? "all" : endpoint.eventTypes.join(", ")],
    ["state", stateOf(endpoint)]
  ] as const

const secretCard = (note: string) => (response: { readonly webhook: Endpoint; readonly secret: string | null }) =>
  card([...endpointRows(response.webhook), ["secret", response.secret], ["note", note]])

interface Delivery {
  readonly id: string
  readonly type: string
  readonly eventId: string
  readonly status: string
  readonly nextAttemptAt: string | null
}

const deliveryCard = ({ delivery }: { readonly delivery: Delivery }) =>
  card([
    ["delivery", delivery.id],
    ["event", `${delivery.type} ${delivery.eventId}`],
    ["state", delivery.status],
    ["next attempt", delivery.nextAttemptAt]
  ])

/** Flags and arguments of all commands for a single webhook. */
const webhookFlags = { webhook: idArgument, project: projectFlag, json: jsonFlag }

const create = Command.make(
  "create",
  {
    url: Argument.String("url").pipe(Argument.withDescription("URL that receives the events")),
    events: Flag.String("events").pipe(
      Flag.withDescription(
        "Event types separated by commas, such as transaction.*,wallet.deployed; by default all types"
      ),
      Flag.optional
    ),
    description: Flag.String("description").pipe(
      Flag.withDescription("Note on the purpose of the webhook"),
      Flag.withDefault("")
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ description, events, project, url, ...printOptions }) =>
    printResponse(
      printOptions,
      callEndpoint(({ webhooks }) => webhooks.create, project, {
        payload: { url, description, eventTypes: Option.match(events, { onNone: () => null, onSome: eventTypesOf }) }
      }).pipe(asFlags({ eventTypes: "--events" })),
      secretCard("The secret is not shown again. Receivers verify deliveries with it.")
    )
).pipe(Command.withDescription("Create a webhook and show its secret once"))

const list = Command.make("list", { project: projectFlag, json: jsonFlag }, ({ project, ...printOptions }) =>
  printResponse(
    printOptions,
    callEndpoint(({ webhooks }) => webhooks.list, project, {}),
    ({ webhooks }) =>
      tableOrHint(
        ["ID", "URL", "EVENTS", "STATE", "CREATED"],
        webhooks.map((endpoint) => [
          endpoint.id,
          endpoint.url,
          endpoint.eventTypes?.join(",") ?? "all",
          stateOf(endpoint),
          endpoint.createdAt
        ]),
        "There is no webhook. Create one with `countersign webhook create URL`."
      )
  )
).pipe(Command.withDescription("List a project's webhooks"))

const remove = Command.make("delete", webhookFlags, ({ project, webhook, ...printOptions }) =>
  printResponse(
    printOptions,
    Effect.as(
      callEndpoint(({ webhooks }) => webhooks.remove, project, { params: { id: webhook } }),
      { id: webhook, deleted: true }
    ),
    ({ id }) => `Webhook ${id} is deleted with its deliveries.`
  )
).pipe(Command.withDescription("Delete a webhook and its deliveries"))

const enable = Command.make("enable", webhookFlags, ({ project, webhook, ...printOptions }) =>
  printResponse(
    printOptions,
    callEndpoint(({ webhooks }) => webhooks.enable, project, { params: { id: webhook } }),
    (response) => card(endpointRows(response.webhook))
  )
).pipe(Command.withDescription("Enable a disabled webhook"))

const rotate = Command.make(
  "rotate",
  {
    ...webhookFlags,
    overlap: Flag.String("overlap").pipe(
      Flag.withDescription(
        "Time for which deliveries are also signed with the previous secrets, such as 1h; by default one day"
      ),
      readAsDuration,
      Flag.withDefault(Duration.days(1))
    )
  },
  ({ overlap, project, webhook, ...printOptions }) =>
    printResponse(
      printOptions,
      callEndpoint(({ webhooks }) => webhooks.rotate, project, {
        params: { id: webhook },
        query: { overlapSeconds: Math.round(Duration.toSeconds(overlap)) }
      }).pipe(asFlags({ overlapSeconds: "--overlap" })),
      secretCard("Until the overlap ends, deliveries are signed with both secrets.")
    )
).pipe(Command.withDescription("Replace a webhook's secret and show the new one once"))

const test = Command.make("test", webhookFlags, ({ project, webhook, ...printOptions }) =>
  printResponse(
    printOptions,
    callEndpoint(({ webhooks }) => webhooks.test, project, { params: { id: webhook } }),
    deliveryCard
  )
).pipe(Command.withDescription("Send a webhook.test event, which the running service delivers"))

const deliveries = Command.make(
  "deliveries",
  {
    ...webhookFlags,
    take: Flag.Int("take").pipe(
      Flag.withDescription("Number of deliveries, 1 to 100"),
      requireWithin(1, 100),
      Flag.withDefault(20)
    )
  },
  ({ project, take, webhook, ...printOptions }) =>
    printResponse(
      printOptions,
      callEndpoint(({ webhooks }) => webhooks.deliveries, project, { params: { id: webhook }, query: { take } }),
      (page) =>
        tableOrHint(
          ["ID", "EVENT", "RESOURCE", "#", "STATE", "ATTEMPTS", "LAST RESPONSE", "NEXT ATTEMPT"],
          page.deliveries.map((delivery) => [
            delivery.id,
            delivery.type,
            delivery.resource,
            delivery.sequence,
            delivery.status,
            delivery.attempts,
            delivery.lastError ?? delivery.lastResponseStatus,
            delivery.nextAttemptAt
          ]),
          "The webhook has no deliveries yet. Send a test event with `countersign webhook test WEBHOOK-ID`."
        )
    )
).pipe(Command.withDescription("List the deliveries to a webhook, newest first"))

const redeliver = Command.make(
  "redeliver",
  {
    ...webhookFlags,
    delivery: Argument.String("delivery-id").pipe(
      Argument.withDescription("Id of the delivery, as `webhook deliveries` shows it")
    )
  },
  ({ delivery, project, webhook, ...printOptions }) =>
    printResponse(
      printOptions,
      callEndpoint(({ webhooks }) => webhooks.redeliver, project, { params: { id: webhook, deliveryId: delivery } }),
      deliveryCard
    )
).pipe(Command.withDescription("Deliver an event again, with the same id and body"))

export const webhook = Command.make("webhook").pipe(
  Command.withSubcommands([create, list, remove, enable, rotate, test, deliveries, redeliver, listen])
)
