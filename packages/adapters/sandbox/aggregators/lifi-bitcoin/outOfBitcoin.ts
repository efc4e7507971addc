import type { BitcoinAddressKind, SpendableKind } from "@countersign/core/bitcoin/chain"
import { evmChainIds } from "@countersign/core/foundation/chains"
import { Address, type BitcoinAddress } from "@countersign/core/foundation/primitives"
import { Result, Schema } from "effect"
import { decodeAddress } from "../../../src/chains/bitcoin/readAddress.ts"
import { LIFI_BITCOIN, LIFI_BITCOIN_TOKEN } from "../../../src/exchanges/aggregators/index.ts"
import { vaultOf } from "../../vaults/vault.ts"
import { type EmulatorResponse, EvmAddress, WholeNumber } from "../emulator.ts"
import { INVALID, NO_QUOTE, refusal, Slippage, slippageBpsOf } from "../lifiWire.ts"
import { encodeOrder } from "./order.ts"
import { paymentPsbtOrNull, type WalletUtxo } from "./payment.ts"
import { rateOf, tokensFor } from "./rates.ts"

/** The Bitcoin data that a payment is built from. */
export interface BitcoinData {
  /** Returns the confirmed UTXOs of an address. */
  readonly coinsOf: (address: BitcoinAddress) => Promise<ReadonlyArray<WalletUtxo>>
  /** In sat/vB. */
  readonly feeRate: () => Promise<number>
  readonly isHalted: () => boolean
}

export const lifiVault = vaultOf("lifi")

const decodeQuery = Schema.decodeUnknownOption(
  Schema.Struct({
    fromToken: Schema.Literal(LIFI_BITCOIN_TOKEN),
    fromAmount: WholeNumber,
    fromAddress: Schema.String,
    toChain: Schema.String,
    toToken: EvmAddress,
    toAddress: EvmAddress,
    slippage: Schema.optional(Slippage)
  })
)

const BPS = 10_000n
/** Estimated seconds until the payment is confirmed and paid out. */
const SECONDS = 1_500

const spendableKinds: Readonly<Partial<Record<BitcoinAddressKind, SpendableKind>>> = {
  P2PKH: "P2PKH",
  P2SH: "P2SH_P2WPKH",
  P2WPKH: "P2WPKH",
  P2TR: "P2TR"
}

const noQuoteResponse = refusal(404, NO_QUOTE, "No available quotes for the requested transfer")

/**
 * Builds LI.FI's response for a swap from BTC: a PSBT that pays the vault. The client must sign and broadcast it
 * unchanged.
 */
export const outOfBitcoin = async (bitcoinData: BitcoinData, query: URLSearchParams): Promise<EmulatorResponse> => {
  const decodedQuery = decodeQuery(Object.fromEntries(query))
  if (decodedQuery._tag === "None") return refusal(400, INVALID, "Invalid parameters")
  const { fromAddress, fromAmount, slippage, toAddress, toChain, toToken } = decodedQuery.value
  const decodedAddress = decodeAddress(fromAddress)
  const chainId = evmChainIds.find((id) => String(id) === toChain)
  if (Result.isFailure(decodedAddress) || chainId === undefined)
    return refusal(400, INVALID, "Unknown chain or address")
  const [token, kind] = [Address.make(toToken.toLowerCase()), spendableKinds[decodedAddress.success.kind]]
  const rate = rateOf(chainId, token)
  const satoshis = BigInt(fromAmount)
  const amountOut = rate === undefined ? 0n : tokensFor(satoshis, rate)
  if (kind === undefined || amountOut <= 0n || bitcoinData.isHalted()) return noQuoteResponse
  const minAmount = (amountOut * (BPS - slippageBpsOf(slippage))) / BPS
  const { address } = decodedAddress.success
  const [utxos, feeRate] = await Promise.all([bitcoinData.coinsOf(address), bitcoinData.feeRate()])
  const data = encodeOrder({ chainId, token, receiver: Address.make(toAddress.toLowerCase()), minAmount })
  const psbt = paymentPsbtOrNull({ address, kind, coins: utxos, vault: lifiVault.script, satoshis, data, feeRate })
  if (psbt === null) return noQuoteResponse
  return {
    status: 200,
    body: {
      id: "sandbox",
      type: "lifi",
      tool: "chainflip",
      action: { fromChainId: Number(LIFI_BITCOIN), toChainId: chainId, fromAmount, fromAddress, toAddress },
      estimate: {
        tool: "chainflip",
        fromAmount,
        toAmount: String(amountOut),
        toAmountMin: String(minAmount),
        executionDuration: SECONDS,
        feeCosts: [],
        gasCosts: []
      },
      includedSteps: [],
      transactionRequest: { to: lifiVault.address, data: psbt, value: fromAmount }
    }
  }
}
