import { amountText, listedTokens, userOperationBody } from "@countersign/adapters/wire"
import { chainOf } from "@countersign/core/chains"
import { UserOperations } from "@countersign/core/executions"
import { Hash32 } from "@countersign/core/primitives"
import { TokenCatalog } from "@countersign/core/tokens"
import { DateTime, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { linkBase } from "../environment/linkBase.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { inLowerCase, readAs } from "../input/readAs.ts"
import { coins } from "../output/amounts.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

const hashArgument = Argument.String("hash").pipe(
  Argument.withDescription("Hash of the user operation, as its quote gives it"),
  readAs(inLowerCase(Hash32))
)

const show = Command.make(
  "show",
  { hash: hashArgument, project: projectFlag, json: jsonFlag },
  ({ hash, json, project }) =>
    withServices(
      Effect.gen(function* () {
        const owner = yield* chosenProject(project)
        const knownOperation = yield* (yield* UserOperations).get(owner.id, hash)
        const { execution, intent, quote } = knownOperation
        const { account, gas, operation } = intent
        const find = yield* listedTokens(yield* TokenCatalog, [{ chainId: operation.chainId, address: gas.token }])
        const gasToken = find(operation.chainId, gas.token)
        const body = userOperationBody(yield* linkBase, owner, knownOperation, find)
        yield* print(json, { userOperation: body }, () =>
          card([
            ["user operation", intent.hash],
            ["sender", operation.sender],
            ["owner", account.owner],
            ["account", account.kind],
            ["chain", `${chainOf(operation.chainId).name} (${operation.chainId})`],
            ["nonce", String(operation.nonce)],
            ["deploys", operation.factory === null ? "no" : `yes, by ${operation.factory}`],
            ["paymaster", operation.paymaster?.address ?? null],
            [
              "gas at most",
              `${coins(gas.maxWei, operation.chainId)}, ${amountText(gas.maxToken, gasToken)} ${gasToken?.symbol ?? gas.token}`
            ],
            ["expires", DateTime.formatIso(quote.expiresAt)],
            ["submitted", execution === null ? null : DateTime.formatIso(execution.acceptedAt)],
            ["transaction", execution?.id ?? null],
            ["would revert", quote.revertReason?.decoded ?? "no"]
          ])
        )
      })
    )
).pipe(Command.withDescription("Show a prepared operation"))

export const userOperation = Command.make("user-operation").pipe(Command.withSubcommands([show]))
