import { Context, type Result } from "effect"
import type { BitcoinAddress, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import type { SigningKey } from "./SigningKey.ts"

/** An output of an earlier transaction, as the chain has it. */
export interface PreviousOutput {
  readonly txid: Hash32
  readonly vout: number
  /** In satoshis. */
  readonly value: bigint
  readonly script: HexBytes
}

/** A transaction whose every byte but the signatures is decided. */
export interface UnsignedTransaction {
  /** In order. Hardware signers of P2PKH want the whole transaction that made it. */
  readonly inputs: ReadonlyArray<
    PreviousOutput & {
      readonly transaction?: HexBytes
      /** That of a transaction that can be replaced (BIP-125), where it is left out. */
      readonly sequence?: number
    }
  >
  readonly outputs: ReadonlyArray<{ readonly script: HexBytes; readonly value: bigint }>
  /** The first block height that may have it is one more. Zero if absent: any block. */
  readonly lockTime?: number
  /** The key of all inputs. The PSBT names it in the inputs and in the outputs with the same script. */
  readonly key?: SigningKey | null
}

/** What a signed transaction is held to. */
export interface ExpectedTransaction {
  /** Its id without signatures. */
  readonly txid: Hash32
  /** The outputs that it spends, by our own look-up: what a PSBT says of them proves nothing. */
  readonly inputs: ReadonlyArray<PreviousOutput>
  /** In weight units (BIP-141). */
  readonly maxWeight: number
}

export interface SignedTransaction {
  /** The id under which a block has it: another than without signatures, where a signature is no witness. */
  readonly txid: Hash32
  /** Its only form, which is what is broadcast. */
  readonly bytes: HexBytes
}

/** Why a signed transaction is not the expected one. */
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

/** Bitcoin's transactions and their signatures, without the chain and without any private key. */
export class BitcoinTransactions extends Context.Service<
  BitcoinTransactions,
  {
    /** The script that an address stands for. */
    readonly scriptOf: (address: BitcoinAddress) => HexBytes
    /** The address that stands for a script; null where none does. */
    readonly addressOf: (script: HexBytes) => BitcoinAddress | null
    /** The PSBT (BIP-174, version 0) and the id without signatures. Inputs can be replaced (BIP-125) unless they say otherwise. */
    readonly unsigned: (transaction: UnsignedTransaction) => { readonly txid: Hash32; readonly psbt: HexBytes }
    /**
     * A signed transaction, or a PSBT with every signature, if it is the expected one in all that anybody else could change or
     * use: the id without signatures; the form of each witness and script; signatures by the keys of the outputs that it
     * spends, over all of it, with low S; no annex, no script path, no byte more than needed.
     */
    readonly signed: (
      given: HexBytes,
      expected: ExpectedTransaction
    ) => Result.Result<SignedTransaction, TransactionRefusal>
  }
>()("@countersign/core/bitcoin/BitcoinTransactions") {}
