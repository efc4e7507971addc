import {
  type Leg,
  Movement,
  type MovementPage,
  type RecordedMovement,
  type Transaction,
  TransactionType
} from "@countersign/core/accounting/history"
import { isToken } from "@countersign/core/foundation/tokens"
import { DateTime, Schema } from "effect"
import type { Kysely } from "kysely"
import { millisOf } from "./codec.ts"
import type { Tables } from "./migrations/index.ts"

type Row = Tables["movements"]

const decodeMovement = Schema.decodeUnknownSync(Schema.toCodecJson(Movement))
const decodeType = Schema.decodeUnknownSync(TransactionType)

const blockNumberOf = (leg: Leg | undefined): number | null => (leg?.block == null ? null : Number(leg.block.number))

export const toMovementRows = ({
  createdAt,
  executedAt,
  id,
  legs,
  movements,
  projectId,
  type,
  updatedAt
}: Transaction): ReadonlyArray<Row> =>
  movements.map(({ account, amount, asset, counterparty, direction, leg, role, usd, usdSource }, position) => ({
    project_id: projectId,
    transaction_id: id,
    position,
    account,
    moved_at: millisOf(executedAt ?? updatedAt),
    type,
    direction,
    role,
    chain_id: isToken(asset) ? asset.chainId : null,
    asset: isToken(asset) ? asset.token : asset.currency,
    amount: String(amount),
    usd,
    usd_source: usdSource ?? null,
    counterparty,
    leg,
    block_number: blockNumberOf(leg === null ? undefined : legs[leg]),
    created_at: millisOf(createdAt)
  }))

export const movementFromRow = (row: Row): RecordedMovement => ({
  transactionId: row.transaction_id,
  position: row.position,
  type: decodeType(row.type),
  at: DateTime.makeUnsafe(row.moved_at),
  blockNumber: row.block_number === null ? null : BigInt(row.block_number),
  createdAt: DateTime.makeUnsafe(row.created_at),
  movement: decodeMovement({
    direction: row.direction,
    role: row.role,
    account: row.account,
    asset: row.chain_id === null ? { currency: row.asset } : { chainId: row.chain_id, token: row.asset },
    amount: row.amount,
    usd: row.usd,
    ...(row.usd_source === null ? {} : { usdSource: row.usd_source }),
    counterparty: row.counterparty,
    leg: row.leg
  })
})

/** Builds the query for a page of an account's movements, oldest first. */
export const movementsQuery = (query: Kysely<Tables>, { account, after, projectId, take }: MovementPage) =>
  query
    .selectFrom("movements")
    .selectAll()
    .where(({ and }) => and({ project_id: projectId, account }))
    .$if(after !== null, (page) =>
      page.where((row) =>
        row(
          row.refTuple("moved_at", "transaction_id", "position"),
          ">",
          row.tuple(millisOf(after!.at), after!.transactionId, after!.position)
        )
      )
    )
    .orderBy("moved_at")
    .orderBy("transaction_id")
    .orderBy("position")
    .limit(take)
