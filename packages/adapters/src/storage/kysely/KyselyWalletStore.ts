import type { SigningKey } from "@countersign/core/bitcoin/chain"
import {
  addressOf,
  type SmartWallet,
  Wallet,
  WalletAlreadyRegistered,
  WalletStore
} from "@countersign/core/wallets/registry"
import { Effect, Layer, Option } from "effect"
import { sql } from "kysely"
import { checkType, decodeChanged, instantOf, instantOrNull, millisOf, millisOrNull } from "./codec.ts"
import { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"

const checkedWallet = checkType(Wallet)

/** Serializes a signing key; null if there is none. */
const keyText = (key: SigningKey | null) => (key === null ? null : JSON.stringify(key))

const toWalletRow = (wallet: Wallet): Tables["wallets"] => ({
  project_id: wallet.projectId,
  address: addressOf(wallet),
  account: JSON.stringify(wallet.type === "SMART" ? wallet.account : null),
  ownership: wallet.type === "SMART" ? null : wallet.ownership,
  bitcoin_key: wallet.type === "SMART" ? null : keyText(wallet.key),
  metadata: JSON.stringify(wallet.metadata),
  registered_at: millisOf(wallet.registeredAt),
  last_transaction_at: millisOrNull(wallet.lastTransactionAt)
})

/** A row of a wallet, with its deployments as JSON. */
type WalletRow = Tables["wallets"] & { readonly deployed_on: string }

const walletFromRow = decodeChanged(
  (row: WalletRow): Wallet => {
    const account: unknown = JSON.parse(row.account)
    const deployedOn: ReadonlyArray<number> = JSON.parse(row.deployed_on)
    return checkedWallet({
      projectId: row.project_id,
      metadata: JSON.parse(row.metadata),
      registeredAt: instantOf(row.registered_at),
      lastTransactionAt: instantOrNull(row.last_transaction_at),
      ...(account === null
        ? {
            type: "BITCOIN",
            address: row.address,
            ownership: row.ownership,
            key: row.bitcoin_key === null ? null : JSON.parse(row.bitcoin_key)
          }
        : { type: "SMART", account, deployedOn: deployedOn.toSorted((a, b) => a - b) })
    })
  },
  ({ address, project_id }) => `${project_id} ${address}`
)

const deployedOn = {
  sqlite: sql<string>`(select json_group_array(chain_id) from wallet_deployments as deployment where deployment.address = wallet.address)`,
  postgres: sql<string>`(select coalesce(json_agg(chain_id), '[]')::text from wallet_deployments as deployment where deployment.address = wallet.address)`
}

/** A position in the order of a project's wallets, and the number of wallets to read. */
type ListPosition = { readonly projectId: string; readonly at: number; readonly address: string; readonly take: number }

const BEFORE_ALL = Number.MIN_SAFE_INTEGER

const isSmart = (wallet: Wallet): wallet is SmartWallet => wallet.type === "SMART"

export const layer = Layer.effect(
  WalletStore,
  Effect.gen(function* () {
    const db = yield* Db

    const wallets = db.query
      .selectFrom("wallets as wallet")
      .select([
        "wallet.project_id",
        "wallet.address",
        "wallet.account",
        "wallet.ownership",
        "wallet.bitcoin_key",
        "wallet.metadata",
        "wallet.registered_at",
        "wallet.last_transaction_at",
        deployedOn[db.dialect].as("deployed_on")
      ])

    const find = db.prepare((_, { projectId, address }: { projectId: string; address: string }) =>
      wallets.where("wallet.project_id", "=", projectId).where("wallet.address", "=", address)
    )

    const list = db.prepareRead((_, { projectId, at, address, take }: ListPosition) =>
      wallets
        .where("wallet.project_id", "=", projectId)
        .where((row) => row(row.refTuple("wallet.registered_at", "wallet.address"), ">", row.tuple(at, address)))
        .orderBy("wallet.registered_at")
        .orderBy("wallet.address")
        .limit(take)
    )

    const registrations = db.prepare((_, { address }: { address: string }) =>
      wallets.where("wallet.address", "=", address).orderBy("wallet.registered_at")
    )

    const insertIfAbsent = (wallet: Wallet) =>
      db.run(
        db.query
          .insertInto("wallets")
          .values(toWalletRow(wallet))
          .onConflict((conflict) => conflict.columns(["project_id", "address"]).doNothing())
      )

    const recordDeployments = (rows: ReadonlyArray<Tables["wallet_deployments"]>) =>
      rows.length === 0
        ? Effect.succeed(0)
        : db.run(
            db.query
              .insertInto("wallet_deployments")
              .values(rows)
              .onConflict((conflict) => conflict.columns(["address", "chain_id"]).doNothing())
          )

    /**
     * Adds a backfill for the address on every watched EVM chain. Restarts an existing backfill, which may be that of
     * another project.
     */
    const insertBackfills = (address: string) => sql`
      insert into wallet_backfills (chain_id, address, next_block, to_block)
      select chain_id, ${address}, null, null from watched_chains where chain_id <> 0
      on conflict (chain_id, address) do update set next_block = null, to_block = null`

    /** Adds a backfill for a Bitcoin address. */
    const insertBackfill = (address: string, now: number) => sql`
      insert into bitcoin_looks (address, active_at, due_at, to_height, after_txid, read_count, version)
      values (${address}, ${now}, ${now}, 0, null, 0, 0)
      on conflict (address) do update set
        active_at = excluded.active_at, due_at = excluded.due_at, to_height = 0, after_txid = null, read_count = 0,
        version = bitcoin_looks.version + 1`

    return WalletStore.of({
      insert: (wallet) =>
        db.transaction(
          Effect.gen(function* () {
            const address = addressOf(wallet)
            if ((yield* insertIfAbsent(wallet)) === 0) {
              return yield* new WalletAlreadyRegistered({ walletAddress: address })
            }
            yield* db.run(
              isSmart(wallet) ? insertBackfills(address) : insertBackfill(address, millisOf(wallet.registeredAt))
            )
            yield* db.announce("CHAIN_ACTIVITY", millisOf(wallet.registeredAt))
            const deployedOn = isSmart(wallet) ? wallet.deployedOn : []
            yield* recordDeployments(deployedOn.map((chainId) => ({ address, chain_id: chainId })))
          })
        ),
      find: (projectId, address) =>
        Effect.map(find({ projectId, address }), (rows) => Option.map(Option.fromUndefinedOr(rows[0]), walletFromRow)),
      list: ({ after, projectId, take }) =>
        Effect.map(
          list(
            after === null
              ? { projectId, at: BEFORE_ALL, address: "", take }
              : { projectId, at: millisOf(after.registeredAt), address: addressOf(after), take }
          ),
          (rows) => rows.map(walletFromRow)
        ),
      replaceMetadata: (projectId, address, metadata) =>
        Effect.map(
          db.run(
            db.query
              .updateTable("wallets")
              .set({ metadata: JSON.stringify(metadata) })
              .where(({ and }) => and({ project_id: projectId, address }))
          ),
          (changes) => changes > 0
        ),
      lock: (projectId, address) => {
        const row = db.query
          .selectFrom("wallets")
          .select("address")
          .where(({ and }) => and({ project_id: projectId, address }))
        return db.dialect === "postgres" ? Effect.asVoid(db.first(row.forUpdate())) : Effect.void
      },
      updateBitcoin: (projectId, address, { key, metadata, ownership }) =>
        Effect.map(
          db.run(
            db.query
              .updateTable("wallets")
              .set({
                ...(key === undefined ? {} : { bitcoin_key: keyText(key) }),
                ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
                ...(ownership === undefined ? {} : { ownership })
              })
              .where(({ and }) => and({ project_id: projectId, address }))
          ),
          (changes) => changes > 0
        ),
      listRegistrations: (address) =>
        Effect.map(registrations({ address }), (rows) => rows.map(walletFromRow).filter(isSmart)),
      recordDeployment: (address, chainId) =>
        Effect.map(recordDeployments([{ address, chain_id: chainId }]), (changes) => changes > 0),
      recordTransaction: (projectId, address, at) =>
        Effect.asVoid(
          db.run(
            db.query
              .updateTable("wallets")
              .set({ last_transaction_at: millisOf(at) })
              .where(({ and }) => and({ project_id: projectId, address }))
              .where((row) =>
                row.or([row("last_transaction_at", "is", null), row("last_transaction_at", "<", millisOf(at))])
              )
          )
        )
    })
  })
)
