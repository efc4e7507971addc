import { columnTypes, type Migration } from "./Migration.ts"

/** Who may be given an answer again stands beside its text; until here it stood in the text. */
export const answerScope: Migration = {
  name: "0007_answer_scope",
  statements: (types) => [
    `alter table idempotent_requests add column scope ${types.text}`,
    `update idempotent_requests set scope = ${types === columnTypes.sqlite ? "answer" : "cast(answer as json)"} ->> 'scope'`
  ]
}
