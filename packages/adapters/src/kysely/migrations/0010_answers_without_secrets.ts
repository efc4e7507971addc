import { Effect } from "effect"
import { Db } from "../Db.ts"
import type { Migration } from "./Migration.ts"

interface Answer {
  readonly body: string
}

/** An answer with null in the place of its secret. */
const withoutSecret = (text: string): string => {
  const answer = JSON.parse(text) as Answer
  const body = JSON.parse(answer.body) as object
  return "secret" in body ? JSON.stringify({ ...answer, body: JSON.stringify({ ...body, secret: null }) }) : text
}

const conversion = Effect.gen(function* () {
  const db = yield* Db
  const rows = yield* db.all(
    db.query
      .selectFrom("idempotent_requests")
      .select(["project_id", "idempotency_key", "answer"])
      .where("answer", "like", "%whsec%")
  )
  for (const { answer, idempotency_key, project_id } of rows) {
    if (answer === null) continue
    yield* db.run(
      db.query
        .updateTable("idempotent_requests")
        .set({ answer: withoutSecret(answer) })
        .where("project_id", "=", project_id)
        .where("idempotency_key", "=", idempotency_key)
    )
  }
})

/** Answers that are kept for repeats had the secrets of webhooks in them. Those of endpoints are sealed at the start. */
export const answersWithoutSecrets: Migration = {
  name: "0010_answers_without_secrets",
  statements: () => [],
  convert: conversion
}
