import { Effect } from "effect"
import { chainOf, isEvmChainId } from "../../../foundation/chains/index.ts"
import { BadRequest, type UpstreamUnavailable } from "../../../foundation/errors/index.ts"
import { AccountInspector, ChainReader } from "../../../operations/user-operations/index.ts"
import { addressOf } from "../../../wallets/registry/index.ts"
import type { SwapOrder } from "../swapOrders.ts"

/**
 * Checks the wallet's own address on the destination chain, and returns warnings for the signer. A smart wallet has the
 * same address on every chain, but on one of them the address may have another owner. Other receivers are not checked,
 * because the sender chose them.
 */
export const destinations = Effect.gen(function* () {
  const inspector = yield* AccountInspector
  const reader = yield* ChainReader

  return Effect.fnUntraced(function* ({
    request: { chainIdIn, chainIdOut, toAddress },
    wallet
  }: SwapOrder): Effect.fn.Return<ReadonlyArray<string>, BadRequest | UpstreamUnavailable> {
    if (chainIdIn === chainIdOut || !isEvmChainId(chainIdOut) || wallet.type !== "SMART") return []
    const { account } = wallet
    // The key of an EIP-7702 account controls the address on every chain, with or without code.
    if (toAddress !== addressOf(wallet) || account.eip7702) return []
    const { hasCode } = yield* reader.readAccountState(chainIdOut, {
      address: account.address,
      tokens: [],
      allowances: []
    })
    const { name } = chainOf(chainIdOut)
    if (!hasCode) {
      return [
        `The wallet is not deployed on ${name}. The tokens arrive at its address, but it can't send them before it is deployed on that chain.`
      ]
    }
    const change = yield* inspector.changeOrNull(chainIdOut, account)
    if (change === null) return []
    return yield* BadRequest.of(
      "toAddress",
      "changed_account",
      `On ${name}, a different account is deployed at the wallet's address: ${change}. Set another receiver.`
    )
  })
})
