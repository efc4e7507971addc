import { Context, type Result } from "effect"
import type { BitcoinAddress, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import type { SigningKey } from "./SigningKey.ts"

/** An output of an earlier transaction, with its on-chain value and script. */
export interface PreviousOutput {
  readonly txid: Hash32
  readonly vout: number
  /** In satoshis. */
  readonly value: bigint
  readonly script: HexBytes
}

/** A transaction that is complete except for its signatures. */
export interface UnsignedTransaction {
  /** In transaction order. Hardware signers require the complete previous transaction for P2PKH inputs. */
  readonly inputs: ReadonlyArray<
    PreviousOutput & {
      readonly transaction?: HexBytes
      /** If absent, the input signals replaceability (BIP-125). */
      readonly sequence?: number
    }
  >
  readonly outputs: ReadonlyArray<{ readonly script: HexBytes; readonly value: bigint }>
  /** The height of the last block that can't include the transaction. If absent, zero: any block may include it. */
  readonly lockTime?: number
  /**
   * The key of all inputs. The PSBT contains it for the inputs, and for outputs with the same script. Null or absent if
   * the key is unknown.
   */
  readonly key?: SigningKey | null
}

/** The expected content of a signed transaction. */
export interface ExpectedTransaction {
  /** The txid without signatures. */
  readonly txid: Hash32
  /** The spent outputs, as this service has read them. The values in a submitted PSBT are not trusted. */
  readonly inputs: ReadonlyArray<PreviousOutput>
  /** In weight units (BIP-141). */
  readonly maxWeight: number
}

export interface SignedTransaction {
  /** The on-chain txid. It differs from the txid without signatures if a signature is not in the witness. */
  readonly txid: Hash32
  /** The canonical serialization, which is broadcast. */
  readonly bytes: HexBytes
}

/** How a signed transaction differs from the expected one. */
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

/** Serializes and verifies Bitcoin transactions, without chain access or private keys. */
export class BitcoinTransactions extends Context.Service<
  BitcoinTransactions,
  {
    /** Returns the output script of an address. */
    readonly scriptOf: (address: BitcoinAddress) => HexBytes
    /** Returns the address of an output script. Null if it has none. */
    readonly addressOf: (script: HexBytes) => BitcoinAddress | null
    /**
     * Returns the PSBT (BIP-174, version 0) and the txid without signatures. Inputs signal replaceability (BIP-125) by
     * default.
     */
    readonly buildPsbt: (transaction: UnsignedTransaction) => { readonly txid: Hash32; readonly psbt: HexBytes }
    /**
     * Verifies a signed transaction, or a PSBT with all signatures. The txid without signatures and the format of each
     * witness and script must match. The keys of the spent outputs must have signed the complete transaction. ECDSA
     * signatures must have low S. An annex, a script path or an unnecessary byte is an error.
     */
    readonly verifySigned: (
      signedBytes: HexBytes,
      expected: ExpectedTransaction
    ) => Result.Result<SignedTransaction, TransactionRefusal>
  }
>()("@countersign/core/bitcoin/BitcoinTransactions") {}
