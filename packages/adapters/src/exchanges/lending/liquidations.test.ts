import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Abi, encodeAbiParameters, encodeEventTopics, type Hex, parseAbiParameters } from "viem"
import { aHash, anAddress } from "../../../../core/src/foundation/primitives/ids.fixture.ts"
import type { RpcClients } from "../../chains/evm/index.ts"
import { aaveAbi } from "./aave/abi.ts"
import { cancelledDebtsIn } from "./aave/liquidations.ts"
import { morphoAbi } from "./morpho/abi.ts"
import type { MorphoMarket } from "./morpho/MorphoMarket.ts"
import { morphoLiquidations } from "./morpho/morphoLiquidations.ts"

const [account, liquidator, contract, token] = [anAddress(), anAddress(), anAddress(), anAddress()]

const logOf = (abi: Abi, eventName: string, args: object, amounts: ReadonlyArray<bigint>) => ({
  address: contract,
  topics: encodeEventTopics({ abi, eventName, args } as never) as [Hex, ...Array<Hex>],
  data: encodeAbiParameters(
    amounts.flatMap(() => parseAbiParameters("uint256")),
    [...amounts]
  )
})

describe("The debts that a liquidation cancels", () => {
  it.effect("are the bad debt of Morpho Blue", () =>
    Effect.gen(function* () {
      const market = {
        id: aHash(),
        params: { collateralToken: anAddress(), loanToken: token, oracle: anAddress(), irm: anAddress(), lltv: 1n }
      } satisfies MorphoMarket
      const liquidationsWith = (badDebt: bigint) => {
        const position = { blockHash: aHash(), blockNumber: "0x5", logIndex: "0x1", transactionHash: aHash() }
        const args = { id: market.id, caller: liquidator, borrower: account }
        const log = { ...logOf(morphoAbi, "Liquidate", args, [780n, 1n, 5n, badDebt, 1n]), ...position }
        const request = async ({ method }: { readonly method: string }) =>
          method === "eth_getLogs" ? [log] : { timestamp: "0x7" }
        const rpc = {
          call: (_: number, use: (client: unknown) => Promise<unknown>) => Effect.promise(() => use({ request }))
        } as unknown as RpcClients["Service"]
        const search = { chainId: 1, accounts: [account], fromBlock: 0n, toBlock: 9n } as const
        return morphoLiquidations(rpc, search, { morpho: contract } as never, [market])
      }
      const [liquidation] = yield* liquidationsWith(240n)
      assert.strictEqual(liquidation?.debtAmount, 780n)
      assert.deepStrictEqual(liquidation?.cancelledDebts, [{ token, amount: 240n }])
      assert.deepStrictEqual((yield* liquidationsWith(0n))[0]?.cancelledDebts, [])
    })
  )

  it("are the account's deficits of Aave, in any token, and of no other account or contract", () => {
    const deficitOf = (user: string, debtAsset: string, amount: bigint) =>
      logOf(aaveAbi, "DeficitCreated", { user, debtAsset }, [amount])
    const otherToken = anAddress()
    const logs = [
      deficitOf(account, token, 240n),
      deficitOf(account, otherToken, 3n),
      deficitOf(liquidator, token, 5n),
      { ...deficitOf(account, token, 7n), address: anAddress() }
    ]
    assert.deepStrictEqual(cancelledDebtsIn(logs, { account, contract }), [
      { token, amount: 240n },
      { token: otherToken, amount: 3n }
    ])
  })
})
