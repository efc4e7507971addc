import { EventOutbox, type NewEvent } from "@countersign/core/tenancy/events"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { webhookEvents } from "@countersign/core/tenancy/webhooks"
import { DateTime, Effect } from "effect"
import type { BoundedService } from "../limits/boundedService.ts"

/** Stores an event of the project that occurs `delayMs` milliseconds from now. Returns the event's id. */
export const appendEvent = (
  service: BoundedService,
  projectId: ProjectId,
  delayMs = 0,
  changes: Partial<NewEvent> = {}
) =>
  service.run(
    Effect.gen(function* () {
      const eventAt = DateTime.add(yield* DateTime.now, { milliseconds: delayMs })
      const resource = { webhookId: crypto.randomUUID() }
      const event = webhookEvents.eventOf({
        projectId,
        id: resource.webhookId,
        at: eventAt,
        previousStatus: null,
        resource,
        type: "webhook.test"
      })
      return (yield* (yield* EventOutbox).append({ ...event, ...changes })).id as string
    })
  )

export interface Message {
  /** Null for a message that only updates the last event id. */
  readonly data: Readonly<Record<string, unknown>> | null
  readonly id: string
}

/** Opens a stream and reads its messages. */
export const openStream = async (
  url: string,
  apiKey: string,
  { query = "", lastEventId }: { readonly query?: string; readonly lastEventId?: string } = {}
) => {
  const abortController = new AbortController()
  const response = await fetch(`${url}/api/v1/events${query}`, {
    headers: { "x-api-key": apiKey, ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) },
    signal: abortController.signal
  })
  const messages: Array<Message> = []
  const stream = { response, messages, text: "", hasEnded: false, close: () => abortController.abort() }
  const readEvents = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body!) {
      stream.text += decoder.decode(chunk, { stream: true })
      const blocks = stream.text.split("\n\n").slice(0, -1)
      for (const block of blocks.slice(messages.length)) {
        const field = (name: string) =>
          block
            .split("\n")
            .find((line) => line.startsWith(`${name}: `))
            ?.slice(name.length + 2)
        const data = field("data")
        messages.push({ id: field("id") ?? "", data: data === undefined ? null : JSON.parse(data) })
      }
    }
  }
  if (response.ok) {
    readEvents()
      .catch(() => undefined)
      .finally(() => {
        stream.hasEnded = true
      })
  }
  return stream
}

export type OpenStream = Awaited<ReturnType<typeof openStream>>

/** Returns the ids of the received events. */
export const idsOf = ({ messages }: OpenStream): ReadonlyArray<string> =>
  messages.flatMap(({ data }) => (data === null ? [] : [String(data.id)]))
