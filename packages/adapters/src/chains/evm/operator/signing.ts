import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import type { GasFees } from "@countersign/core/operations/operator"
import {
  type Hex,
  keccak256,
  type PrivateKeyAccount,
  parseTransaction,
  type SignedAuthorizationList,
  type TransactionSerializable
} from "viem"
import { bytesFromHex, hash32FromHex } from "../hex.ts"

/** An operator transaction without its nonce. */
export interface UnsignedTransaction extends GasFees {
  readonly to: Hex
  readonly data: Hex
  readonly gas: bigint
  /** EIP-7702 authorizations; empty for an ordinary transaction. */
  readonly authorizationList: SignedAuthorizationList
}

export interface SignedBytes {
  readonly raw: HexBytes
  readonly hash: Hash32
}

/** Upper bound for the gas of a transfer. Arbitrum and similar chains charge data fees as gas. */
const TRANSFER_GAS = 500_000n

const signToBytes = async (account: PrivateKeyAccount, transaction: TransactionSerializable): Promise<SignedBytes> => {
  const raw = await account.signTransaction(transaction)
  return { raw: bytesFromHex(raw), hash: hash32FromHex(keccak256(raw)) }
}

export const signTransaction = (
  account: PrivateKeyAccount,
  chainId: EvmChainId,
  nonce: number,
  { authorizationList, ...transaction }: UnsignedTransaction
): Promise<SignedBytes> =>
  signToBytes(
    account,
    authorizationList.length === 0
      ? { ...transaction, type: "eip1559", chainId, nonce }
      : { ...transaction, type: "eip7702", chainId, nonce, authorizationList }
  )

/** Signs the same transaction with other fees. */
export const signWithNewFees = (account: PrivateKeyAccount, raw: HexBytes, fees: GasFees): Promise<SignedBytes> => {
  const { r: _r, s: _s, v: _v, yParity: _y, ...transaction } = parseTransaction(raw)
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  // TypeScript can't infer the member of viem's union. The transaction type matches these fees.
  return signToBytes(account, { ...transaction, maxFeePerGas, maxPriorityFeePerGas } as TransactionSerializable)
}

/** Signs a transaction that uses a nonce: a transfer of zero from the operator to itself. */
export const signFiller = (
  account: PrivateKeyAccount,
  chainId: EvmChainId,
  nonce: number,
  fees: GasFees
): Promise<SignedBytes> =>
  signTransaction(account, chainId, nonce, {
    ...fees,
    to: account.address,
    data: "0x",
    gas: TRANSFER_GAS,
    authorizationList: []
  })
