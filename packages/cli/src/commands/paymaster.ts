import { RpcClientsLayer } from "@countersign/adapters/chains/evm"
import {
  depositTransaction,
  isSetUp,
  observeDeposit,
  observePaymaster,
  type PaymasterPlan,
  type PaymasterState,
  sendStep,
  waitForPendingTransactions
} from "@countersign/adapters/chains/paymaster-contracts"
import { chainOf } from "@countersign/core/foundation/chains"
import { baseUnitsOrNone, DecimalString } from "@countersign/core/foundation/primitives"
import { affordableOperations } from "@countersign/core/operations/oversight"
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { operationsText } from "../doctor/checks/operationsPaid.ts"
import { CommandRefused } from "../environment/errors.ts"
import { type PaymasterSetUp, paymasterSetUp } from "../environment/paymasterSetUp.ts"
import { namedChainFlag } from "../input/chain.ts"
import { nativeTokensText } from "../output/amounts.ts"
import { jsonFlag, print } from "../output/print.ts"
import { table } from "../output/table.ts"
import { completeSetUp, requireOwnerKey, type StepResult } from "../paymaster/complete.ts"
import { evmChain, planOf, versions } from "../paymaster/plans.ts"
import { requireContracts } from "../paymaster/requireContracts.ts"

const tokensFlag = Flag.String("token").pipe(
  Flag.withDescription("Symbol of a token for gas fees; may be repeated (default: USDC and USDT)"),
  Flag.atLeast(0)
)

const runOnChains = <A, E, R>(setUp: PaymasterSetUp, effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, RpcClientsLayer({ urls: setUp.rpcUrls }))

const stepRow = (plan: PaymasterPlan, step: StepResult) => [
  chainOf(plan.chainId).name,
  plan.version,
  step.description,
  step.transactionHash ?? `to be sent by the ${step.sender}: to ${step.to} with data ${step.data}`
]

interface Deployment {
  readonly plan: PaymasterPlan
  readonly steps: ReadonlyArray<StepResult>
}

const deploymentsText = (deployments: ReadonlyArray<Deployment>): string => {
  const rows = deployments.flatMap(({ plan, steps }) => steps.map((step) => stepRow(plan, step)))
  const resultText =
    rows.length === 0
      ? "The paymasters are already completely set up."
      : table(["CHAIN", "ENTRYPOINT", "STEP", "TRANSACTION"], rows)
  const settings = deployments.map(({ plan }) => `PAYMASTER_ADDRESS_${plan.version.replace(".", "_")}=${plan.address}`)
  return [resultText, "", "Settings of the service:", ...settings].join("\n")
}

const deploy = Command.make(
  "deploy",
  { chain: namedChainFlag, token: tokensFlag, json: jsonFlag },
  Effect.fnUntraced(function* ({ chain, json, token }) {
    const setUp = yield* paymasterSetUp
    const chainId = yield* evmChain(setUp, chain)
    yield* requireOwnerKey(setUp)
    const deployments = yield* runOnChains(
      setUp,
      Effect.andThen(
        requireContracts(chainId),
        Effect.forEach(versions, (version) =>
          Effect.gen(function* () {
            const plan = yield* planOf(setUp, chainId, version, token)
            return { plan, steps: yield* completeSetUp(setUp, plan) }
          })
        )
      )
    )
    yield* print(
      json,
      deployments.map(({ plan, steps }) => ({
        chainId,
        version: plan.version,
        address: plan.address,
        steps: steps.map(({ description, sender, ...step }) => ({ what: description, by: sender, ...step }))
      })),
      () => deploymentsText(deployments)
    )
  })
).pipe(
  Command.withDescription(
    "Set up the paymasters of a chain: deploy the contracts, add the signer and operators, and approve the tokens of the treasury. The command can be repeated and sends only the missing transactions"
  ),
  Command.withExamples([
    {
      command: "countersign paymaster deploy --chain base",
      description: "Deploy the paymasters of both EntryPoints on Base"
    }
  ])
)

const NATIVE_TOKEN_DECIMALS = 18
const decodeDecimal = Schema.decodeUnknownOption(DecimalString)

const amountArgument = Argument.String("amount").pipe(
  Argument.withDescription("Amount of the native token, such as 0.5"),
  Argument.filterMap(
    (text) =>
      decodeDecimal(text).pipe(
        Option.flatMap((decimal) => baseUnitsOrNone(decimal, NATIVE_TOKEN_DECIMALS)),
        Option.filter((wei) => wei > 0n)
      ),
    () => "Expected an amount above 0, such as 0.5"
  )
)

const deposit = Command.make(
  "deposit",
  {
    amount: amountArgument,
    chain: namedChainFlag,
    entryPoint: Flag.Literals("entrypoint", versions).pipe(Flag.withDescription("EntryPoint version of the paymaster")),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ amount, chain, entryPoint, json }) {
    const setUp = yield* paymasterSetUp
    const chainId = yield* evmChain(setUp, chain)
    const ownerKey = yield* requireOwnerKey(setUp)
    const plan = yield* planOf(setUp, chainId, entryPoint, [])
    const deposits = yield* runOnChains(
      setUp,
      Effect.gen(function* () {
        yield* waitForPendingTransactions(chainId, ownerKey)
        const { codeMatches, deposit: before } = yield* observePaymaster(plan)
        if (!codeMatches) {
          const reason = `There is no paymaster at ${plan.address} yet. Deploy it with \`countersign paymaster deploy\`.`
          return yield* new CommandRefused({ reason })
        }
        const transactionHash = yield* sendStep(chainId, ownerKey, depositTransaction(plan, amount))
        return { paymaster: plan.address, before, after: yield* observeDeposit(plan), transactionHash }
      })
    )
    yield* print(
      json,
      { chainId, version: entryPoint, ...deposits },
      () =>
        `The deposit of ${plan.address} at EntryPoint ${entryPoint} on ${chainOf(chainId).name}: ${nativeTokensText(deposits.before, chainId)} before, ${nativeTokensText(deposits.after, chainId)} now (${deposits.transactionHash}).`
    )
  })
).pipe(
  Command.withDescription("Increase the deposit from which a paymaster pays gas"),
  Command.withExamples([
    { command: "countersign paymaster deposit 0.5 --chain base --entrypoint 0.8", description: "Deposit 0.5 ether" }
  ])
)

const yesOrNo = (flag: boolean | null) => (flag === null ? null : flag ? "yes" : "no")
const missingText = (missingNames: ReadonlyArray<string>) =>
  missingNames.length === 0 ? "all" : `not ${missingNames.join(", ")}`

/** Returns the fields of a paymaster that `status` prints. */
const statusOf = (plan: PaymasterPlan, state: PaymasterState) => ({
  chainId: plan.chainId,
  version: plan.version,
  address: plan.address,
  codeMatches: state.codeMatches,
  owner: plan.owner,
  ownerIsAdmin: state.ownerIsAdmin,
  signer: plan.signer,
  signerIsListed: state.signerIsListed,
  operators: plan.operators,
  unlistedOperators: state.unlistedOperators,
  treasury: plan.treasury,
  unapprovedTokens: state.unapprovedTokens.map(({ symbol }) => symbol),
  deposit: state.deposit,
  operationsPaid: affordableOperations(state.deposit, state.maxFeePerGas),
  ready: isSetUp(state) && affordableOperations(state.deposit, state.maxFeePerGas) !== 0n
})

const statusRow = (status: ReturnType<typeof statusOf>) => [
  chainOf(status.chainId).name,
  status.version,
  status.address,
  yesOrNo(status.codeMatches),
  yesOrNo(status.ownerIsAdmin),
  yesOrNo(status.signerIsListed),
  missingText(status.unlistedOperators),
  missingText(status.unapprovedTokens),
  `${nativeTokensText(status.deposit, status.chainId)}, ${operationsText(status.operationsPaid)}`,
  status.ready ? "ready" : "not ready"
]

const HEAD = ["CHAIN", "ENTRYPOINT", "ADDRESS", "CODE", "OWNER", "SIGNER", "OPERATORS", "APPROVALS", "DEPOSIT", "STATE"]

const status = Command.make(
  "status",
  {
    chain: namedChainFlag.pipe(Flag.withDescription("Only this chain (default: all served chains)"), Flag.optional),
    token: tokensFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ chain, json, token }) {
    const setUp = yield* paymasterSetUp
    const chainIds = Option.isSome(chain) ? [yield* evmChain(setUp, chain.value)] : setUp.activeChains()
    const statuses = yield* runOnChains(
      setUp,
      Effect.andThen(
        Effect.forEach(chainIds, requireContracts, { concurrency: 4, discard: true }),
        Effect.forEach(
          chainIds.flatMap((chainId) => versions.map((version) => ({ chainId, version }))),
          ({ chainId, version }) =>
            Effect.gen(function* () {
              const plan = yield* planOf(setUp, chainId, version, token)
              return statusOf(plan, yield* observePaymaster(plan))
            }),
          { concurrency: 4 }
        )
      )
    )
    yield* print(json, statuses, () => table(HEAD, statuses.map(statusRow)))
    const unreadyCount = statuses.filter(({ ready }) => !ready).length
    if (unreadyCount > 0)
      return yield* new CommandRefused({
        reason: `${unreadyCount} of ${statuses.length} paymasters are not ready.`
      })
  })
).pipe(
  Command.withDescription(
    "Show the contracts, signer, operators, approvals and deposits of the paymasters. The exit code is 4 if a paymaster is not ready"
  )
)

export const paymaster = Command.make("paymaster").pipe(Command.withSubcommands([deploy, deposit, status]))
