import { verificationProblem } from "@countersign/adapters/webhooks"
import type { ProjectId } from "@countersign/core/projects"
import { Webhooks } from "@countersign/core/webhooks"
import { Console, Effect, Option, Queue, type Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { within } from "../input/readAs.ts"
import { jsonFlag } from "../output/print.ts"
import { eventLine } from "../webhooks/eventLine.ts"
import { type ReceivedWebhook, receiveWebhooks } from "../webhooks/receiveWebhooks.ts"

/** A webhook that is removed when the scope ends. */
const temporaryWebhook = (projectId: ProjectId, url: string) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    return yield* Effect.acquireRelease(
      webhooks.create(projectId, { url, eventTypes: null, description: "countersign webhook listen" }),
      ({ endpoint }) => Effect.ignore(webhooks.remove(projectId, endpoint.id))
    )
  })

/** Prints each genuine event as one line to stdout, and what is wrong with any other to stderr. */
const show = (secret: Redacted.Redacted<string>, asJson: boolean) => (webhook: ReceivedWebhook) =>
  Effect.gen(function* () {
    // Deliveries are signed with the real time, even when a sandbox's clock was moved.
    const problem = verificationProblem(secret, webhook.headers, webhook.body, Math.floor(Date.now() / 1000))
    webhook.answer(problem === null ? 204 : 400)
    if (problem !== null) yield* Console.error(`refused a delivery: ${problem}`)
    else yield* Console.log(asJson ? webhook.body : eventLine(webhook.body))
    return problem === null
  })

const listenWith = (
  webhooks: Queue.Dequeue<ReceivedWebhook>,
  secret: Redacted.Redacted<string>,
  asJson: boolean,
  count: number
) =>
  Effect.gen(function* () {
    const showOne = show(secret, asJson)
    for (let shownCount = 0; shownCount < count; ) if (yield* showOne(yield* Queue.take(webhooks))) shownCount += 1
  })

export const listen = Command.make(
  "listen",
  {
    secret: Flag.Redacted("secret").pipe(
      Flag.withDescription(
        "Secret of a webhook that sends here; without it, one is created now and deleted at the end"
      ),
      Flag.optional
    ),
    port: Flag.Int("port").pipe(
      Flag.withDescription("Port to listen on, 0 for any"),
      within(0, 65_535),
      Flag.withDefault(0)
    ),
    count: Flag.Int("count").pipe(
      Flag.withDescription("Stop after so many events"),
      within(1, Number.MAX_SAFE_INTEGER),
      Flag.optional
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ count, json, port, project, secret }) => {
    const maxCount = Option.getOrElse(count, () => Number.POSITIVE_INFINITY)
    return Effect.scoped(
      Effect.gen(function* () {
        const { received: webhooks, url } = yield* receiveWebhooks(port)
        if (Option.isSome(secret)) {
          yield* Console.error(`Listening at ${url}. Ctrl-C stops.`)
          return yield* listenWith(webhooks, secret.value, json, maxCount)
        }
        return yield* withServices(
          Effect.scoped(
            Effect.gen(function* () {
              const { id } = yield* chosenProject(project)
              const endpoint = yield* temporaryWebhook(id, url)
              yield* Console.error(`Webhook ${endpoint.endpoint.id} leads to ${url}. Ctrl-C deletes it and stops.`)
              return yield* listenWith(webhooks, endpoint.secret, json, maxCount)
            })
          )
        )
      })
    )
  }
).pipe(
  Command.withDescription("Receive events on this machine, verify them, and print one a line"),
  Command.withExamples([
    { command: "countersign webhook listen", description: "Every event of the sandbox's project" },
    {
      command: "countersign webhook listen --port 4000 --secret whsec_…",
      description: "What a webhook sends to http://127.0.0.1:4000"
    }
  ])
)
