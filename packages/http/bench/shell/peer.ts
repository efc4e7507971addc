import { createHash, timingSafeEqual } from "node:crypto"
import { join } from "node:path"
import Database from "better-sqlite3"

interface KeyRow {
  readonly project_id: string
  readonly hash: string
}

interface WalletRow {
  readonly address: string
  readonly account: string
  readonly metadata: string
  readonly registered_at: number
}

/**
 * Provides what the other servers need for the two requests: the check of the API key, the wallet list, and the search
 * for an operation. The queries are the same as Countersign's, on the same database.
 */
export const openPeer = (home: string) => {
  const database = new Database(join(home, "countersign.db"), { readonly: true })
  const findKey = database.prepare<[string], KeyRow>(
    "select k.project_id, k.hash from api_keys k join projects p on p.id = k.project_id where k.id = ? and k.revoked_at is null"
  )
  const listWallets = database.prepare<[string], WalletRow>(
    "select address, account, metadata, registered_at from wallets where project_id = ? order by registered_at, address"
  )
  const findOperation = database.prepare<[string, string], { readonly hash: string }>(
    "select hash from quote_operations where hash = ? and project_id = ?"
  )

  return {
    projectOf: (key: string | undefined): string | null => {
      const id = key?.split("_")[2]
      if (key === undefined || id === undefined) return null
      const row = findKey.get(id)
      if (row === undefined) return null
      const hash = createHash("sha256").update(key).digest()
      return timingSafeEqual(hash, Buffer.from(row.hash, "hex")) ? row.project_id : null
    },
    wallets: (projectId: string) => ({
      wallets: listWallets.all(projectId).map(({ account, address, metadata, registered_at }) => {
        const { eip7702, factory, implementation, owner, salt } = JSON.parse(account)
        return {
          metadata: JSON.parse(metadata),
          walletAddress: address,
          externallyOwnedAccount: owner,
          factory,
          implementation,
          eip7702,
          deployed: chains.map((chain) => ({ chain, deployed: false })),
          salt,
          registeredAt: new Date(registered_at).toISOString(),
          lastTransactionAt: null
        }
      })
    }),
    hasOperation: (hash: string, projectId: string): boolean => findOperation.get(hash, projectId) !== undefined
  }
}

const chains = [42161, 43114, 8453, 56, 1, 100, 10, 137, 196].map((id) => ({
  id,
  name: `Chain ${id}`,
  logo: `http://127.0.0.1/logos/chains/${id}.svg`
}))

export const unauthorized = {
  statusCode: 401,
  id: "INVALID_API_KEY",
  message: "The x-api-key header does not contain a valid API key."
}

export const notFound = (hash: string) => ({
  statusCode: 404,
  id: "USER_OPERATION_NOT_FOUND",
  message: `There is no user operation ${hash}.`
})

export const executeSchema = {
  type: "object",
  required: ["userOperationHash", "signature"],
  additionalProperties: false,
  properties: {
    userOperationHash: { type: "string", pattern: "^0x[a-fA-F0-9]{64}$" },
    signature: { type: "string", pattern: "^0x([a-fA-F0-9]{2})*$" },
    authorization: { type: "string", pattern: "^0x([a-fA-F0-9]{2})*$" }
  }
} as const
