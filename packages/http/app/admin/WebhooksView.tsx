import { useState } from "preact/hooks"
import type { Client, Webhook, WebhookDelivery } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { Table } from "../Table.tsx"
import { useLoad } from "../useLoad.ts"
import { formatDateTime, title } from "../words.ts"
import { Confirmation } from "./Confirmation.tsx"
import { linkTo } from "./route.ts"
import type { ViewProps } from "./ViewProps.ts"

const SHOWN_MAX = 50

const loadFirst = async (deliveries: AsyncIterable<WebhookDelivery>): Promise<ReadonlyArray<WebhookDelivery>> => {
  const loadedDeliveries: Array<WebhookDelivery> = []
  for await (const delivery of deliveries) {
    loadedDeliveries.push(delivery)
    if (loadedDeliveries.length === SHOWN_MAX) break
  }
  return loadedDeliveries
}

const stateOf = ({ disabledReason, failingSince, status }: Webhook): string => {
  if (status === "DISABLED") return `Disabled: ${disabledReason ?? "no reason given"}`
  return failingSince === null ? "Enabled" : `Failing since ${formatDateTime(failingSince)}`
}

const badges: Readonly<Record<WebhookDelivery["status"], string>> = {
  PENDING: "waiting",
  DELIVERED: "good",
  FAILED: "bad",
  DISABLED: "bad"
}

const Deliveries = ({ client, id }: { readonly client: Client; readonly id: string }) => {
  const [sentCount, setSentCount] = useState(0)
  const [deliveryToSend, setDeliveryToSend] = useState<WebhookDelivery | null>(null)
  const { failure, value } = useLoad(`${id} ${sentCount}`, (signal) =>
    loadFirst(client.webhooks.deliveries(id, { take: SHOWN_MAX }, { signal }))
  )
  const redeliver = async (deliveryId: string) => {
    await client.webhooks.redeliver(id, deliveryId)
    setSentCount((count) => count + 1)
  }
  return (
    <div class="stack" aria-busy={value === undefined && failure === undefined}>
      <p>
        <a href={linkTo("webhooks")}>All webhooks</a>
      </p>
      <Failure of={failure} />
      {sentCount > 0 && <p role="status">The service sends the event again.</p>}
      {value !== undefined && (
        <Table
          title="Deliveries"
          head={["Event", "State", "Attempts", "Last response", "Created", "Action"]}
          empty="The service has sent no events to this webhook."
          rows={value.map((delivery) => ({
            id: delivery.id,
            cells: [
              <>
                {delivery.type}
                <small class="muted">{delivery.resource}</small>
              </>,
              <span key="state" class={`badge ${badges[delivery.status]}`}>
                {title(delivery.status)}
              </span>,
              delivery.attempts,
              delivery.lastError ?? delivery.lastResponseStatus ?? "–",
              formatDateTime(delivery.createdAt),
              <button key="redeliver" type="button" class="plain" onClick={() => setDeliveryToSend(delivery)}>
                Send again
              </button>
            ]
          }))}
        />
      )}
      {deliveryToSend !== null && (
        <Confirmation
          title={`Send ${deliveryToSend.type} again`}
          action="Send the event"
          onConfirm={() => redeliver(deliveryToSend.id)}
          onClose={() => setDeliveryToSend(null)}
        >
          The receiver gets the event again, with the same id. This can't be undone.
        </Confirmation>
      )}
    </div>
  )
}

const List = ({ client }: { readonly client: Client }) => {
  const { failure, value } = useLoad("webhooks", (signal) => client.webhooks.list({ signal }))
  return (
    <div class="stack" aria-busy={value === undefined && failure === undefined}>
      <Failure of={failure} />
      {value !== undefined && (
        <Table
          title="Webhooks"
          head={["URL", "State", "Events", "Deliveries"]}
          empty="The project has no webhooks."
          rows={value.map((webhook) => ({
            id: webhook.id,
            cells: [
              webhook.url,
              stateOf(webhook),
              webhook.eventTypes?.join(", ") ?? "All",
              <a key="deliveries" href={linkTo("webhooks", webhook.id)}>
                Show deliveries
              </a>
            ]
          }))}
        />
      )}
    </div>
  )
}

/** Lists the project's webhooks, or the deliveries of one webhook. */
export const WebhooksView = ({ client, id }: ViewProps) =>
  id === null ? <List client={client} /> : <Deliveries client={client} id={id} />
