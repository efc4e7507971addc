/** A transaction in the responses of an Esplora server. */

export interface ChainTransaction {
  readonly txid: string
  readonly fee: number
  readonly vin: ReadonlyArray<{ readonly prevout: Output | null }>
  readonly vout: ReadonlyArray<Output>
  readonly status: { readonly confirmed: boolean }
}

interface Output {
  readonly scriptpubkey_address?: string
  readonly value: number
}

const PAGE_SIZE = 25

const readJson = async <A>(url: string): Promise<A> => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as A
}

/** Returns all confirmed transactions of an address. */
export const readMinedTransactions = async (
  esploraUrl: string,
  address: string
): Promise<ReadonlyArray<ChainTransaction>> => {
  const allTransactions: Array<ChainTransaction> = []
  for (;;) {
    const lastTransaction = allTransactions.at(-1)
    // The first page starts with the transactions in the mempool.
    const path = `${esploraUrl}/address/${address}/txs${lastTransaction === undefined ? "" : `/chain/${lastTransaction.txid}`}`
    const page = (await readJson<ReadonlyArray<ChainTransaction>>(path)).filter(({ status }) => status.confirmed)
    allTransactions.push(...page)
    if (page.length < PAGE_SIZE) return allTransactions
  }
}

export const isSpentBy = ({ vin }: ChainTransaction, address: string): boolean =>
  vin.some(({ prevout }) => prevout?.scriptpubkey_address === address)

export const satoshisPaid = ({ vout }: ChainTransaction, address: string): number =>
  vout.reduce((sum, output) => sum + (output.scriptpubkey_address === address ? output.value : 0), 0)
