import { Hash32 } from "@countersign/core/primitives"
import {
  type Claimed,
  type Followed,
  OperationRecord,
  Submission,
  UserOperationStore
} from "@countersign/core/user-operations"
import { Effect, Layer, Option } from "effect"
import { claimDue } from "./claimDue.ts"
import { instantOf, instantOrNull, jsonText, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import type { Tables } from "./tables.ts"

const recordText = jsonText(OperationRecord)
const submissionText = jsonText(Submission)

const recordOfRow = (row: Pick<Tables["user_operations"], "record" | "submission">): OperationRecord => ({
  ...recordText.decode(row.record),
  submission: row.submission === null ? null : submissionText.decode(row.submission)
})

const claimedOfRow = (
  row: Pick<Tables["user_operations"], "record" | "submission" | "included_block" | "included_hash">
): Claimed => ({
  record: recordOfRow(row),
  inclusion:
    row.included_block === null || row.included_hash === null
      ? null
      : { blockNumber: BigInt(row.included_block), blockHash: Hash32.make(row.included_hash) }
})

const followedOfRow = (
  row: Pick<Tables["user_operations"], "record" | "submission" | "due_at" | "claimed_by" | "claimed_until">
): Followed => ({
  record: recordOfRow(row),
  dueAt: instantOf(row.due_at ?? 0),
  claim:
    row.claimed_by === null || row.claimed_until === null
      ? null
      : { worker: row.claimed_by, until: instantOf(row.claimed_until) }
})

const rowOfRecord = (record: OperationRecord): Tables["user_operations"] => {
  const submittedAt = record.submission === null ? null : millisOf(record.submission.submittedAt)
  return {
    hash: record.hash,
    project_id: record.projectId,
    wallet_address: record.account.address,
    record: recordText.encode({ ...record, submission: null }),
    submission: record.submission === null ? null : submissionText.encode(record.submission),
    submitted_at: submittedAt,
    expires_at: millisOf(record.expiresAt),
    due_at: submittedAt,
    claimed_by: null,
    claimed_until: null,
    settled_at: null,
    included_block: null,
    included_hash: null
  }
}

export const layer = Layer.effect(
  UserOperationStore,
  Effect.gen(function* () {
    const db = yield* Db

    const find = db.prepare((query, { projectId, hash }: { projectId: string; hash: string }) =>
      query
        .selectFrom("user_operations")
        .select(["record", "submission"])
        .where("hash", "=", hash)
        .where("project_id", "=", projectId)
    )

    const claim = claimDue(db)

    /**
     * Moves an operation that is still followed on, and ends its worker's claim. Answers whether it was where the caller
     * saw it: in no block, or in this one.
     */
    const changeFollowed = (hash: Hash32, block: Hash32 | null, columns: Partial<Tables["user_operations"]>) =>
      Effect.map(
        db.run(
          db.query
            .updateTable("user_operations")
            .set({ ...columns, claimed_by: null, claimed_until: null })
            .where("hash", "=", hash)
            .where("due_at", "is not", null)
            .where((row) => (block === null ? row("included_block", "is", null) : row("included_hash", "=", block)))
        ),
        (changes) => changes > 0
      )

    const watched = db.query
      .selectFrom("user_operations")
      .select(({ fn }) => [fn.countAll<number>().as("count"), fn.min("due_at").as("due_at")])
      .where("due_at", "is not", null)
      .where("included_block", "is not", null)

    return UserOperationStore.of({
      insert: (record) => Effect.asVoid(db.run(db.query.insertInto("user_operations").values(rowOfRecord(record)))),
      find: (projectId, hash) =>
        Effect.map(find({ projectId, hash }), ([row]) => Option.map(Option.fromUndefinedOr(row), recordOfRow)),
      submit: (projectId, hash, submission) =>
        Effect.map(
          db.run(
            db.query
              .updateTable("user_operations")
              .set({
                submission: submissionText.encode(submission),
                submitted_at: millisOf(submission.submittedAt),
                due_at: millisOf(submission.submittedAt)
              })
              .where("hash", "=", hash)
              .where("project_id", "=", projectId)
              .where("submission", "is", null)
          ),
          (changes) => changes > 0
        ),
      claim: (request) => Effect.map(claim(request), (rows) => rows.map(claimedOfRow)),
      reschedule: (hash, worker, dueAt) =>
        Effect.asVoid(
          db.run(
            db.query
              .updateTable("user_operations")
              .set({ due_at: millisOf(dueAt), claimed_by: null, claimed_until: null })
              .where("hash", "=", hash)
              .where("claimed_by", "=", worker)
          )
        ),
      settle: (hash, at) => changeFollowed(hash, null, { settled_at: millisOf(at), due_at: null }),
      include: (hash, { blockHash, blockNumber }, dueAt) =>
        changeFollowed(hash, null, {
          included_block: Number(blockNumber),
          included_hash: blockHash,
          due_at: millisOf(dueAt)
        }),
      finalize: (hash, blockHash, at) => changeFollowed(hash, blockHash, { settled_at: millisOf(at), due_at: null }),
      reopen: (hash, blockHash, dueAt) =>
        changeFollowed(hash, blockHash, { included_block: null, included_hash: null, due_at: millisOf(dueAt) }),
      releaseAll: Effect.asVoid(
        db.run(
          db.query
            .updateTable("user_operations")
            .set({ claimed_by: null, claimed_until: null })
            .where("due_at", "is not", null)
            .where("claimed_by", "is not", null)
        )
      ),
      listUnsettled: (limit) =>
        Effect.map(
          db.all(
            db.query
              .selectFrom("user_operations")
              .select(["record", "submission"])
              .where("due_at", "is not", null)
              .where("included_block", "is", null)
              .orderBy("submitted_at")
              .orderBy("hash")
              .limit(limit)
          ),
          (rows) => rows.map(recordOfRow)
        ),
      listFollowed: Effect.fnUntraced(function* (limit) {
        const rows = yield* db.all(
          db.query
            .selectFrom("user_operations")
            .select(["record", "submission", "due_at", "claimed_by", "claimed_until"])
            .where("due_at", "is not", null)
            .where("included_block", "is", null)
            .orderBy("submitted_at")
            .orderBy("hash")
            .limit(limit)
        )
        const included = Option.getOrNull(yield* db.first(watched))
        return {
          inNoBlock: rows.map(followedOfRow),
          watched: included?.count ?? 0,
          watchedDueAt: instantOrNull(included?.due_at ?? null)
        }
      })
    })
  })
)
