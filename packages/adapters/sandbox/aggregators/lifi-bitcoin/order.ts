import { randomBytes } from "node:crypto"
import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { bytesToHex, concatHex, type Hex, hexToBytes, numberToHex } from "viem"

/** The order in the OP_RETURN output of a BTC deposit. */
export interface Order {
  readonly chainId: EvmChainId
  readonly token: Address
  readonly receiver: Address
  /** Minimum output, in base units of the token. */
  readonly minAmount: bigint
}

/**
 * First byte of an encoding that only the sandbox uses. Chain, token, receiver and minimum output follow, as in
 * Chainflip's `nulldata`, and then a random number that identifies the quote.
 */
const VERSION: Hex = "0x00"
const [CHAIN_BYTES, ADDRESS_BYTES, AMOUNT_BYTES, QUOTE_BYTES] = [4, 20, 16, 8]
const ORDER_BYTES = 1 + CHAIN_BYTES + 2 * ADDRESS_BYTES + AMOUNT_BYTES + QUOTE_BYTES

/** Encodes an order as 69 bytes, which differ in each quote. An OP_RETURN output can contain 80 bytes. */
export const encodeOrder = ({ chainId, minAmount, receiver, token }: Order): Uint8Array =>
  hexToBytes(
    concatHex([
      VERSION,
      numberToHex(chainId, { size: CHAIN_BYTES }),
      token,
      receiver,
      numberToHex(minAmount, { size: AMOUNT_BYTES }),
      bytesToHex(randomBytes(QUOTE_BYTES))
    ])
  )

/** Decodes an order. Null if the data is not an order. */
export const decodeOrder = (data: Uint8Array): Order | null => {
  if (data.length !== ORDER_BYTES || bytesToHex(data.subarray(0, 1)) !== VERSION) return null
  const hexAt = (from: number, length: number): Hex => bytesToHex(data.subarray(from, from + length))
  const tokenAt = 1 + CHAIN_BYTES
  const receiverAt = tokenAt + ADDRESS_BYTES
  const chainId = evmChainIds.find((id) => id === Number(hexAt(1, CHAIN_BYTES)))
  if (chainId === undefined) return null
  return {
    chainId,
    token: Address.make(hexAt(tokenAt, ADDRESS_BYTES)),
    receiver: Address.make(hexAt(receiverAt, ADDRESS_BYTES)),
    minAmount: BigInt(hexAt(receiverAt + ADDRESS_BYTES, AMOUNT_BYTES))
  }
}
