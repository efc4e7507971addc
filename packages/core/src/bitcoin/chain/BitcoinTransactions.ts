import { Context, type Result } from "effect"
import type { BitcoinAddress, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import type { SigningKey } from "./SigningKey.ts"

/** An output of an earlier transaction, as on-chain. */
export interface PreviousOutput {
  readonly txid: Hash32
  readonly vout: number
  /** In satoshis. */
  readonly value: bigint
  readonly script: HexBytes
}

/** A transaction that is complete except for its signatures. */
export interface UnsignedTransaction {
  /** In transaction order. Hardware signers require the whole previous transaction for P2PKH. */
  readonly inputs: ReadonlyArray<
    PreviousOutput & {
      readonly transaction?: HexBytes
      /** Signals replaceability (BIP-125) if absent. */
      readonly sequence?: number
    }
  >
  readonly outputs: ReadonlyArray<{ readonly script: HexBytes; readonly value: bigint }>
  /** The block height after which the transaction is valid. If absent, zero: any block may include it. */
  readonly lockTime?: number
  /** The key of all inputs. The PSBT contains it for the inputs and for outputs with the same script. */
  readonly key?: SigningKey | null
}

/** The expected content of a signed transaction. */
export interface ExpectedTransaction {
  /** The transaction id without signatures. */
  readonly txid: Hash32
  /** The outputs that the transaction spends, as read by the service: the data in a PSBT is not trusted. */
  readonly inputs: ReadonlyArray<PreviousOutput>
  /** In weight units (BIP-141). */
  readonly maxWeight: number
}

export interface SignedTransaction {
  /** The on-chain id. It differs from the unsigned id if a signature is not in the witness. */
  readonly txid: Hash32
  /** The canonical serialization, which is broadcast. */
  readonly bytes: HexBytes
}

/** The difference between a signed transaction and the expected one. */
export interface TransactionRefusal {
  readonly code:
    | "malformed"
    | "not_canonical"
    | "not_as_quoted"
    | "not_signed"
    | "wrong_witness"
    | "wrong_signature"
    | "wrong_sighash"
    | "too_heavy"
    | "unsupported"
  readonly reason: string
}

/** Serializes and verifies Bitcoin transactions, without chain access and private keys. */
export class BitcoinTransactions extends Context.Service<
  BitcoinTransactions,
  {
    /** The output script of an address. */
    readonly scriptOf: (address: BitcoinAddress) => HexBytes
    /** The address of an output script; null if it has none. */
    readonly addressOf: (script: HexBytes) => BitcoinAddress | null
    /**
     * The PSBT (BIP-174, version 0) and the id without signatures. Inputs signal replaceability (BIP-125) by default.
     */
    readonly unsigned: (transaction: UnsignedTransaction) => { readonly txid: Hash32; readonly psbt: HexBytes }
    /**
     * Verifies a signed transaction, or a PSBT with all signatures, in everything that a third party could change or
     * exploit. The id without signatures and the format of each witness and script must match. The keys of the spent
     * outputs must have signed the whole transaction, with low S. An annex, a script path or an unnecessary byte is an
     * error.
     */
    readonly signed: (
      signedBytes: HexBytes,
      expected: ExpectedTransaction
    ) => Result.Result<SignedTransaction, TransactionRefusal>
  }
>()("@countersign/core/bitcoin/BitcoinTransactions") {}
