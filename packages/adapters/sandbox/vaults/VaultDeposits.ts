import { Schema } from "effect"

const Output = Schema.Struct({
  scriptpubkey: Schema.String,
  scriptpubkey_address: Schema.optional(Schema.String),
  value: Schema.Int
})
const Transactions = Schema.Array(
  Schema.Struct({
    txid: Schema.String,
    vin: Schema.Array(Schema.Struct({ prevout: Schema.NullOr(Output) })),
    vout: Schema.Array(Output),
    status: Schema.Struct({ confirmed: Schema.Boolean, block_time: Schema.optional(Schema.Int) })
  })
)
const decode = Schema.decodeUnknownSync(Transactions)
type Transaction = (typeof Transactions.Type)[number]

/** A payment to a vault. */
export interface VaultDeposit {
  readonly txid: string
  /** Address that receives a refund: the owner of the first UTXO that the payment spends. */
  readonly from: string
  readonly satoshis: bigint
  /** Data of the payment's OP_RETURN output; empty if there is none. */
  readonly data: Uint8Array
  /** Timestamp of the payment's block in Unix seconds; null while the payment is unconfirmed. */
  readonly blockSeconds: number | null
}

const OP_RETURN = "6a"
const PUSH_OF_ONE_BYTE_MORE = 0x4c
/** Page size of confirmed transactions. */
const PAGE = 25

/**
 * Returns the data after OP_RETURN and the push opcode. The opcode has one byte, or two bytes for more than 75 bytes of
 * data.
 */
const opReturnDataOf = (script: string): Uint8Array => {
  const bytes = Buffer.from(script, "hex")
  return Uint8Array.from(bytes.subarray(bytes[1] === PUSH_OF_ONE_BYTE_MORE ? 3 : 2))
}

/**
 * Decodes the deposit of a transaction whose first output pays the vault. Null if there is none, if the vault itself is
 * the sender, or if the sender's address is unknown.
 */
export const depositOrNull = (vault: string, { status, txid, vin, vout }: Transaction): VaultDeposit | null => {
  const [firstOutput] = vout
  const senderAddress = vin[0]?.prevout?.scriptpubkey_address
  if (firstOutput?.scriptpubkey_address !== vault || senderAddress === undefined || senderAddress === vault) return null
  const opReturnOutput = vout.find(({ scriptpubkey }) => scriptpubkey.startsWith(OP_RETURN))
  return {
    txid,
    from: senderAddress,
    satoshis: BigInt(firstOutput.value),
    data: opReturnOutput === undefined ? new Uint8Array() : opReturnDataOf(opReturnOutput.scriptpubkey),
    blockSeconds: status.confirmed ? (status.block_time ?? 0) : null
  }
}

/**
 * Reads the deposits of a vault from Esplora. Each read starts at the newest page, and stops at the first page without
 * open deposits.
 */
export class VaultDeposits {
  readonly #vault: string
  readonly #known = new Map<string, VaultDeposit>()

  constructor(vault: string) {
    this.#vault = vault
  }

  get(txid: string): VaultDeposit | undefined {
    return this.#known.get(txid)
  }

  clear(): void {
    this.#known.clear()
  }

  /** Returns the open deposits. */
  async read(esploraUrl: string, hasEnded: (txid: string) => boolean): Promise<ReadonlyArray<VaultDeposit>> {
    const allOpenDeposits: Array<VaultDeposit> = []
    let path = "/txs"
    for (;;) {
      const page = decode(await (await fetch(`${esploraUrl}/address/${this.#vault}${path}`)).json())
      const deposits = page.flatMap((transaction) => depositOrNull(this.#vault, transaction) ?? [])
      for (const deposit of deposits) this.#known.set(deposit.txid, deposit)
      const openDeposits = deposits.filter(({ txid }) => !hasEnded(txid))
      allOpenDeposits.push(...openDeposits)
      const confirmedTransactions = page.filter(({ status }) => status.confirmed)
      if (confirmedTransactions.length < PAGE || openDeposits.length === 0) return allOpenDeposits
      path = `/txs/chain/${confirmedTransactions.at(-1)!.txid}`
    }
  }
}
