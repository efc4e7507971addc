import type { ServiceClient } from "./ServiceClient.ts"

export interface TransactionRecord {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly userOperationHash: string | null
  readonly transactionHash: { readonly hash: string } | null
  /** Address of the wallet whose history contains the transaction. */
  readonly walletAddress?: string
  /** Reason of a failure, which is reported with a problem. */
  readonly failure?: unknown
}

/** What the service has stored about the requests of the clients. */
export interface Records {
  /** Addresses of registered wallets. */
  readonly wallets: ReadonlySet<string>
  /** Hashes of the operations that the API returns. */
  readonly operations: ReadonlySet<string>
  /** Transactions of all wallets. */
  readonly transactions: ReadonlyArray<TransactionRecord>
}

const isFound = async (service: ServiceClient, path: string): Promise<boolean> => {
  const { body, status } = await service.untilSuccessful(path)
  if (status === 404) return false
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  return true
}

/** Returns the names whose path exists in the service. Sends a few requests concurrently. */
const findKnownIds = async (
  service: ServiceClient,
  names: Iterable<string>,
  pathOf: (name: string) => string
): Promise<ReadonlySet<string>> => {
  const queue = [...names]
  const knownIds = new Set<string>()
  const runWorker = async () => {
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (await isFound(service, pathOf(name))) knownIds.add(name)
    }
  }
  await Promise.all([runWorker(), runWorker(), runWorker(), runWorker()])
  return knownIds
}

/** Reads all pages of a wallet's history. */
export const historyOf = async (
  service: ServiceClient,
  wallet: string,
  filter = ""
): Promise<ReadonlyArray<TransactionRecord>> => {
  const transactions: Array<TransactionRecord> = []
  let lastId = ""
  for (;;) {
    const path = `/api/v1/wallets/${wallet}/history?take=100${filter}${lastId}`
    const { body, status } = await service.untilSuccessful(path)
    // The wallet is not registered. If its registration was promised, the audit reports it as lost.
    if (status === 404) return transactions
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    transactions.push(...body.transactions)
    if (body.nextLastId === null) return transactions
    lastId = `&lastId=${body.nextLastId}`
  }
}

export const recordsOf = async (
  service: ServiceClient,
  addresses: Iterable<string>,
  hashes: Iterable<string>
): Promise<Records> => {
  const transactions: Array<TransactionRecord> = []
  const allAddresses = [...addresses]
  for (const walletAddress of allAddresses) {
    const walletHistory = await historyOf(service, walletAddress)
    transactions.push(...walletHistory.map((transaction) => ({ ...transaction, walletAddress })))
  }
  return {
    wallets: await findKnownIds(service, allAddresses, (address) => `/api/v1/wallets/${address}`),
    operations: await findKnownIds(service, hashes, (hash) => `/api/v1/crypto/user-operation/${hash}`),
    transactions
  }
}
