import { makeCallDecoder } from "./abi.ts"
import { type Bytes, numberIn, sizeOf, slice, Unreadable } from "./bytes.ts"
import { NATIVE, ZERO } from "./contracts.ts"
import type { Ledger } from "./ledger.ts"
import { hex, type List, number } from "./routerWords.ts"
import { tokenKeyOn } from "./spokePools.ts"

/**
 * Decodes LI.FI's transfers to Bitcoin through Chainflip: the input, the Bitcoin receiver, the refund address, and the
 * minimum price below which Chainflip refunds.
 */

const BRIDGE = "(bytes32,string,string,address,address,address,uint256,uint256,bool,bool)"
const STEP = "(address,address,address,address,uint256,bytes,bool)"
const CHAINFLIP = `(bytes,uint32,address,${STEP}[],uint256,bytes)`

const decodeBridgeCall = makeCallDecoder({ [`startBridgeTokensViaChainflip(${BRIDGE},${CHAINFLIP})`]: null })

const BITCOIN = 0
/** LI.FI's chain id of Bitcoin, and its placeholder address for a non-EVM receiver (lifinance/contracts). */
const LIFI_BITCOIN = 20_000_000_000_001n
const NON_EVM_RECEIVER: Bytes = "0x11f111f111f111f111f111f111f111f111f111f1"
/** Chainflip's asset id of BTC. */
const BTC = 5n
const PRICE_BITS = 128n

/**
 * Sizes in bytes. The parameters start after a version byte and four more bytes. They contain the refund address, with
 * or without a chain tag, and a little-endian price.
 */
const [PARAMETERS_AT, ADDRESS_BYTES, PRICE_BYTES] = [5, 20, 32]
/** Chainflip's tags of chains with 20-byte addresses (`EncodedAddress`): Ethereum and Arbitrum. */
const EVM_TAGS: ReadonlyArray<string> = ["00", "03"]

const UNKNOWN_FEES =
  "Chainflip's fees for the deposit and the Bitcoin payment. The enforced minimum price does not include them."

const reverseBytes = (bytes: Bytes): Bytes => `0x${(bytes.slice(2).match(/../gu) ?? []).reverse().join("")}`

/**
 * Returns the minimum price in parameters that refund the wallet; null if they refund another account or cannot be
 * decoded.
 */
export const minPriceOf = (parameters: Bytes, wallet: Bytes): bigint | null => {
  const version = parameters.slice(2, 4)
  if (version !== "00" && version !== "01") return null
  const tag = parameters.slice(2 + 2 * PARAMETERS_AT, 4 + 2 * PARAMETERS_AT)
  for (const offset of EVM_TAGS.includes(tag) ? [PARAMETERS_AT, PARAMETERS_AT + 1] : [PARAMETERS_AT]) {
    const priceAt = offset + ADDRESS_BYTES
    if (sizeOf(parameters) < priceAt + PRICE_BYTES || slice(parameters, offset, priceAt) !== wallet) continue
    return numberIn(reverseBytes(slice(parameters, priceAt, priceAt + PRICE_BYTES)))
  }
  return null
}

/** Records a transfer in the ledger. Returns false if the call is not a transfer, or if the ledger has no bridge. */
export const enterChainflipTransfer = (ledger: Ledger, router: Bytes, data: Bytes): boolean => {
  const chainflipTransfer = ledger.bridge === null ? null : decodeBridgeCall(data)
  if (chainflipTransfer === null) return false
  const [bridge, chainflip] = chainflipTransfer.args as readonly [List, List]
  const [sentToken, receiver, amount, chainId] = [hex(bridge[4]), hex(bridge[5]), number(bridge[6]), number(bridge[7])]
  const [bitcoinReceiver, token, , calls] = chainflip
  if (chainId !== LIFI_BITCOIN || receiver !== NON_EVM_RECEIVER || bridge[8] !== 0n)
    throw new Unreadable("the destination of LI.FI's call is not Bitcoin, or the call swaps before the transfer")
  if (bridge[9] !== 0n || (calls as List).length > 0)
    throw new Unreadable("a deposit contains a call to a contract on the destination chain")
  if (number(token) !== BTC)
    ledger.report("gives_too_little", `Chainflip would pay its asset ${number(token)} instead of BTC.`)
  const price = minPriceOf(hex(chainflip[5]), ledger.wallet)
  if (price === null) ledger.report("pays_somebody_else", "A refund by Chainflip would not go to the wallet.")
  if (sentToken === ZERO) ledger.use(router, NATIVE, amount)
  else ledger.pull(sentToken, router, amount, "ALLOWANCE")
  const minAmount = (amount * (price ?? 0n)) >> PRICE_BITS
  ledger.arrive(tokenKeyOn(BITCOIN, NATIVE), hex(bitcoinReceiver), minAmount, "AT_LEAST")
  ledger.unknown.add(UNKNOWN_FEES)
  return true
}
