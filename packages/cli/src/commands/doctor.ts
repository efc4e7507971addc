import { chainOf, evmChainIds } from "@countersign/core/chains"
import { ProjectStore } from "@countersign/core/projects"
import { UserOperationStore } from "@countersign/core/user-operations"
import { DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import { settings, withServices } from "../environment/connect.ts"
import { Refused } from "../environment/errors.ts"
import { jsonFlag, print } from "../output/print.ts"
import { table } from "../output/table.ts"

interface Finding {
  readonly subject: string
  readonly state: "ok" | "waiting" | "failing"
  readonly detail: string
  /** What a person can do; null where nothing needs doing. */
  readonly remedy: string | null
}

const ok = (subject: string, detail: string): Finding => ({ subject, state: "ok", detail, remedy: null })

const database = Effect.gen(function* () {
  const projects = yield* (yield* ProjectStore).list
  return ok("database", `answers; ${projects.length} project${projects.length === 1 ? "" : "s"}`)
}).pipe(
  Effect.catchCause(() =>
    Effect.succeed<Finding>({
      subject: "database",
      state: "failing",
      detail: "does not answer a query",
      remedy: "Check DATABASE_URL and that the server is up."
    })
  )
)

const chainNodes = Effect.gen(function* () {
  const { RpcClients } = yield* Effect.promise(() => import("@countersign/adapters/evm"))
  const rpc = yield* RpcClients
  const active = (yield* settings).activeChains()
  return yield* Effect.forEach(
    evmChainIds.filter((id) => active.includes(id)),
    (id) =>
      rpc
        .call(id, async (client) => [await client.getChainId(), await client.getBlock()] as const)
        .pipe(
          Effect.map(
            ([answered, block]): Finding =>
              answered === id
                ? ok(
                    `${chainOf(id).name} node`,
                    `block ${block.number} of ${DateTime.formatIso(DateTime.makeUnsafe(Number(block.timestamp) * 1000))}`
                  )
                : {
                    subject: `${chainOf(id).name} node`,
                    state: "failing",
                    detail: `answers for chain ${answered}`,
                    remedy: `Point RPC_URL_${id} at a node of ${chainOf(id).name}.`
                  }
          ),
          Effect.catchTag("UPSTREAM_UNAVAILABLE", (error) =>
            Effect.succeed<Finding>({
              subject: `${chainOf(id).name} node`,
              state: "failing",
              detail: error.reason,
              remedy: `Check RPC_URL_${id}. Operations on this chain wait and go on by themselves when it answers.`
            })
          )
        ),
    { concurrency: 9 }
  )
})

/** Submitted operations that no block has taken yet, oldest first. */
const operations = Effect.gen(function* () {
  const unsettled = yield* (yield* UserOperationStore).listUnsettled(100)
  if (unsettled.length === 0) return [ok("operations", "none is waiting for a block")]
  const now = yield* DateTime.now
  return unsettled.flatMap(({ hash, submission }): ReadonlyArray<Finding> => {
    if (submission === null) return []
    const isLate = DateTime.isGreaterThan(now, submission.deadline)
    return [
      {
        subject: `operation ${hash}`,
        state: isLate ? "failing" : "waiting",
        detail: `waits for a block since ${DateTime.formatIso(submission.submittedAt)}; ends by itself at ${DateTime.formatIso(submission.deadline)}`,
        remedy: isLate ? "No follower works on it: is `countersign serve` running on this database?" : null
      }
    ]
  })
})

export const doctor = Command.make("doctor", { json: jsonFlag }, ({ json }) =>
  withServices(
    Effect.gen(function* () {
      const findings = [yield* database, ...(yield* chainNodes), ...(yield* operations)]
      yield* print(json, findings, () =>
        table(
          ["WHAT", "STATE", "DETAIL", "WHAT TO DO"],
          findings.map(({ detail, remedy, state, subject }) => [subject, state, detail, remedy])
        )
      )
      const failing = findings.filter(({ state }) => state === "failing").length
      if (failing > 0) return yield* new Refused({ reason: `${failing} of ${findings.length} checks fail.` })
    })
  )
)
