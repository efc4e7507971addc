import { verificationProblem } from "@countersign/adapters/outbound/webhooks"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { Webhooks } from "@countersign/core/tenancy/webhooks"
import { Console, Effect, Option, Queue, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { projectFlag, resolveProject } from "../environment/project.ts"
import { requireWithin } from "../input/readAs.ts"
import { jsonFlag, toJson } from "../output/print.ts"
import { eventLine } from "../webhooks/eventLine.ts"
import { forwardWebhook } from "../webhooks/forwardWebhook.ts"
import { type ReceivedWebhook, receiveWebhooks } from "../webhooks/receiveWebhooks.ts"

/** Creates a webhook, and removes it when the scope closes. */
const temporaryWebhook = (projectId: ProjectId, url: string) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    return yield* Effect.acquireRelease(
      webhooks.create(projectId, { url, eventTypes: null, description: "countersign webhook listen" }),
      ({ endpoint }) => Effect.ignore(webhooks.remove(projectId, endpoint.id))
    )
  })

interface ListenOptions {
  readonly secret: Redacted.Redacted<string>
  readonly forwardTo: URL | null
  readonly payloads: boolean
  readonly json: boolean
}

/** Formats an event: as the raw JSON, as one line, or as one line followed by the indented JSON. */
const eventText = (body: string, { json, payloads }: ListenOptions): string => {
  if (json) return body
  return payloads ? `${eventLine(body)}\n${toJson(JSON.parse(body))}` : eventLine(body)
}

/** Prints each event with a valid signature to stdout, and why another event is invalid to stderr. */
const show = (options: ListenOptions) => (webhook: ReceivedWebhook) =>
  Effect.gen(function* () {
    // The service signs deliveries with the machine's time, even if the sandbox's clock was moved.
    const problem = verificationProblem(options.secret, webhook.headers, webhook.body, Math.floor(Date.now() / 1000))
    if (problem !== null) {
      webhook.respond(400)
      yield* Console.error(`rejected a delivery: ${problem}`)
      return false
    }
    yield* Console.log(eventText(webhook.body, options))
    const { forwardTo } = options
    if (forwardTo === null) {
      webhook.respond(204)
      return true
    }
    const { status, text } = yield* Effect.promise(() => forwardWebhook(forwardTo.href, webhook))
    webhook.respond(status)
    yield* Console.error(`  ${forwardTo.href} responded: ${text}`)
    return true
  })

const listenWith = (webhooks: Queue.Dequeue<ReceivedWebhook>, options: ListenOptions, count: number) =>
  Effect.gen(function* () {
    const showOne = show(options)
    for (let shownCount = 0; shownCount < count; ) if (yield* showOne(yield* Queue.take(webhooks))) shownCount += 1
  })

const urlOrNone = (text: string): Option.Option<URL> =>
  /^https?:/iu.test(text) && URL.canParse(text) ? Option.some(new URL(text)) : Option.none()

export const listen = Command.make(
  "listen",
  {
    secret: Flag.Redacted("secret").pipe(
      Flag.withDescription(
        "Secret of an existing webhook that sends to this machine. By default the command creates a webhook and deletes it at the end"
      ),
      Flag.optional
    ),
    port: Flag.Int("port").pipe(
      Flag.withDescription("Port to listen on, 0 for any free port"),
      requireWithin(0, 65_535),
      Flag.withDefault(0)
    ),
    forwardTo: Flag.String("forward-to").pipe(
      Flag.withDescription("URL to which each event is forwarded unchanged. The service gets the response of this URL"),
      Flag.filterMap(urlOrNone, () => "Expected a URL such as http://localhost:3000/webhooks"),
      Flag.optional
    ),
    payloads: Flag.Boolean("payloads").pipe(
      Flag.withDescription("Print the complete event, not only one line"),
      Flag.withDefault(false)
    ),
    count: Flag.Int("count").pipe(
      Flag.withDescription("Number of events after which to stop"),
      requireWithin(1, Number.MAX_SAFE_INTEGER),
      Flag.optional
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ count, forwardTo, json, payloads, port, project, secret }) => {
    const options = { json, payloads, forwardTo: Option.getOrNull(forwardTo) }
    const maxCount = Option.getOrElse(count, () => Number.POSITIVE_INFINITY)
    return Effect.scoped(
      Effect.gen(function* () {
        const { received: webhooks, url } = yield* receiveWebhooks(port)
        if (Option.isSome(secret)) {
          yield* Console.error(`Listening at ${url}. Ctrl-C stops.`)
          return yield* listenWith(webhooks, { ...options, secret: secret.value }, maxCount)
        }
        return yield* withServices(
          Effect.scoped(
            Effect.gen(function* () {
              const { id } = yield* resolveProject(project)
              const createdWebhook = yield* temporaryWebhook(id, url)
              yield* Console.error(
                `Webhook ${createdWebhook.endpoint.id} sends to ${url}. Ctrl-C deletes it and stops.`
              )
              if (options.forwardTo !== null) {
                yield* Console.error(`Verify its deliveries with the secret ${Redacted.value(createdWebhook.secret)}`)
              }
              return yield* listenWith(webhooks, { ...options, secret: createdWebhook.secret }, maxCount)
            })
          )
        )
      })
    )
  }
).pipe(
  Command.withDescription("Receive events on this machine, verify them, print them, and forward them"),
  Command.withExamples([
    { command: "countersign webhook listen", description: "Print all events of the sandbox's project" },
    {
      command: "countersign webhook listen --forward-to http://localhost:3000/webhooks --payloads",
      description: "Test a receiver on this machine, and print the events"
    },
    {
      command: "countersign webhook listen --port 4000 --secret whsec_…",
      description: "Listen on port 4000 for an existing webhook with the URL http://127.0.0.1:4000"
    }
  ])
)
