import { columnTypes, type Migration } from "./Migration.ts"

/** The scope of a stored answer gets a column of its own; before, it was part of the answer's JSON text. */
export const answerScope: Migration = {
  name: "0007_answer_scope",
  statements: (types) => [
    `alter table idempotent_requests add column scope ${types.text}`,
    `update idempotent_requests set scope = ${types === columnTypes.sqlite ? "answer" : "cast(answer as json)"} ->> 'scope'`
  ]
}
