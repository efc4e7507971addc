import {
  type Admission,
  UnpaidGasLedger,
  type UnpaidGasReport,
  type UnpaidGasSubject
} from "@countersign/core/operations/unpaid-gas"
import { DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { callEndpointAsOperator } from "../environment/ask.ts"
import { withServices } from "../environment/connect.ts"
import { CommandRefused } from "../environment/errors.ts"
import { resolveProject } from "../environment/project.ts"
import { addressFlag } from "../input/address.ts"
import { dollars, nativeTokensText } from "../output/amounts.ts"
import { jsonFlag, print } from "../output/print.ts"
import { printResponse } from "../output/printResponse.ts"
import { tableOrHint } from "../output/table.ts"

const projectFlag = Flag.String("project").pipe(Flag.optional)

/** A higher number of days is not displayed, because it would be an extrapolation from a few operations. */
const DAYS_SHOWN = 365

/** Formats whether the wallet's next operation that pays gas in a token would be accepted. */
const stateOf = (admission: Admission): string => {
  if (admission._tag === "Allowed") return admission.turn === null ? "free" : `one at a time (${admission.turn.scope})`
  const { retryAfterSeconds, scope, state } = admission
  return `${state === "STOPPED" ? "stopped" : "waits"} for ${retryAfterSeconds} s (${scope})`
}

const rowOf = (report: UnpaidGasReport) => [
  report.projectId,
  report.walletAddress,
  report.owner,
  report.chainId,
  dollars(report.currentUsdE6),
  `${dollars(report.usdE6)}, ${nativeTokensText(report.wei, report.chainId)} in ${report.count}`,
  DateTime.formatIso(report.lastAt),
  stateOf(report.admission)
]

const unpaidGas = Command.make(
  "unpaid-gas",
  {
    project: projectFlag.pipe(Flag.withDescription("Id or name of a project; by default all projects")),
    json: jsonFlag
  },
  ({ json, project }) =>
    withServices(
      Effect.gen(function* () {
        const projectId = Option.isSome(project) ? (yield* resolveProject(project)).id : null
        const reports = yield* (yield* UnpaidGasLedger).report(projectId)
        yield* print(json, reports, () =>
          tableOrHint(
            ["PROJECT", "WALLET", "OWNER", "CHAIN", "LOST NOW", "TOTAL", "LAST", "STATE"],
            reports.map(rowOf),
            "No wallet left gas unpaid in the last 30 days."
          )
        )
      })
    )
).pipe(
  Command.withDescription(
    "Show the unpaid gas of wallets: the amounts that count toward the limit, and the wallets that have reached it"
  ),
  Command.withExamples([
    { command: "countersign operator unpaid-gas --project Shop", description: "Show the unpaid gas of one project" }
  ])
)

const forgive = Command.make(
  "forgive",
  {
    wallet: addressFlag("wallet").pipe(Flag.withDescription("Address of a wallet, in all projects"), Flag.optional),
    owner: addressFlag("owner").pipe(
      Flag.withDescription("Address of an owner, with all wallets in all projects"),
      Flag.optional
    ),
    project: projectFlag.pipe(Flag.withDescription("Id or name of a project, with all of its wallets")),
    json: jsonFlag
  },
  ({ json, owner, project, wallet }) =>
    withServices(
      Effect.gen(function* () {
        const subjects: ReadonlyArray<UnpaidGasSubject> = [
          ...(Option.isSome(wallet) ? [{ _tag: "Wallet", address: wallet.value } as const] : []),
          ...(Option.isSome(owner) ? [{ _tag: "Owner", address: owner.value } as const] : []),
          ...(Option.isSome(project) ? [{ _tag: "Project", id: (yield* resolveProject(project)).id } as const] : [])
        ]
        const [subject] = subjects
        if (subject === undefined || subjects.length > 1) {
          return yield* new CommandRefused({ reason: "Use exactly one of --wallet, --owner and --project." })
        }
        const forgivenCount = yield* (yield* UnpaidGasLedger).forgive(subject)
        yield* print(json, { forgiven: forgivenCount }, () =>
          forgivenCount === 0
            ? "There was no unpaid gas to forgive."
            : `Forgiven: ${forgivenCount}. They no longer count toward the limits.`
        )
      })
    )
).pipe(
  Command.withDescription(
    "Forgive the unpaid gas of a wallet, an owner or a project, so that it can execute operations again"
  ),
  Command.withExamples([
    { command: "countersign operator forgive --wallet 0x…", description: "Forgive the unpaid gas of a wallet" }
  ])
)

const balances = Command.make("balances", { json: jsonFlag }, (printOptions) =>
  printResponse(
    printOptions,
    callEndpointAsOperator(({ admin }) => admin.balances, {}),
    (response) =>
      tableOrHint(
        ["ACCOUNT", "CHAIN", "ENTRYPOINT", "ADDRESS", "BALANCE", "SPENT IN 7 DAYS", "DAYS LEFT"],
        response.balances.map(
          ({ address, amount, chainName, daysLeft, entryPointVersion, kind, spentAmount, symbol }) => [
            kind.toLowerCase(),
            chainName,
            entryPointVersion,
            address,
            amount === null ? "unknown: no node responds" : `${amount} ${symbol}`,
            `${spentAmount} ${symbol}`,
            daysLeft === null ? "nothing spent" : daysLeft > DAYS_SHOWN ? "over a year" : daysLeft
          ]
        ),
        "No account of this service pays gas, because the service uses external bundlers and paymasters."
      )
  )
).pipe(
  Command.withDescription(
    "Show the balances of operator accounts and paymaster deposits on each chain, and for how many days they will last"
  )
)

const work = Command.make("work", { json: jsonFlag }, (printOptions) =>
  printResponse(
    printOptions,
    callEndpointAsOperator(({ admin }) => admin.installationWork, {}),
    ({ late, reviews, stages }) =>
      [
        tableOrHint(
          ["STAGE", "WAITS FOR", "PENDING", "LATE", "OLDEST"],
          [
            ...stages.map(({ count, lateCount, oldestAt, stage, waitsFor }) => [
              stage,
              waitsFor,
              count,
              lateCount,
              oldestAt
            ]),
            ...reviews.map(({ count, oldestAt, status }) => [`verification ${status}`, "REVIEW", count, "", oldestAt])
          ],
          "No work is pending."
        ),
        ...(late.length === 0
          ? []
          : [
              tableOrHint(
                ["LATE TRANSACTION", "PROJECT", "STAGE", "WAITS FOR", "WHAT TO DO"],
                late.map(({ projectId, stage, transactionId, waitsFor, whatToDo }) => [
                  transactionId,
                  projectId,
                  stage,
                  waitsFor,
                  whatToDo
                ]),
                ""
              )
            ])
      ].join("\n\n")
  )
).pipe(
  Command.withDescription("Show the pending and late work of all projects by stage, with the age of the oldest item")
)

export const operator = Command.make("operator").pipe(Command.withSubcommands([balances, work, unpaidGas, forgive]))
