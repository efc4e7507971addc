import { History } from "@countersign/core/accounting/history"
import { Acceptances } from "@countersign/core/operations/executions"
import { DateTime, Effect } from "effect"
import { ExecuteBody, ExecutedBody } from "../wire/index.ts"
import { acceptanceErrors, ON_THE_SANDBOX } from "./acceptance.ts"
import { endpoint } from "./Endpoint.ts"
import { HASH, SIGNATURE } from "./exampleValues.ts"
import { historyLink } from "./links.ts"

const execute = endpoint({
  id: "execute",
  method: "POST",
  path: "/api/v1/crypto/execute",
  summary: "Execute a quote",
  description:
    "Accepts a quote of any type with the owner's signatures: one for each element of `signData`, under the element's `hash`. " +
    "The service verifies the quote again before it executes it. The request is idempotent for a quote: a repeated request returns the " +
    `same response, and the quote is executed only once. ${ON_THE_SANDBOX}`,
  payload: ExecuteBody,
  success: ExecutedBody,
  errors: ["QUOTE_NOT_FOUND", "QUOTE_EXPIRED", ...acceptanceErrors, "UPSTREAM_UNAVAILABLE"],
  scope: "execute",
  cost: null,
  example: { body: { quoteId: HASH, signatures: { [HASH]: SIGNATURE } } },
  links: { transaction: historyLink("/transactionId") },
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const { quoteId, signatures } = payload
    const execution = yield* (yield* Acceptances).accept(project.id, quoteId, signatures)
    const { status } = yield* Effect.orDie((yield* History).get(project.id, execution.id))
    return {
      quoteId: execution.quoteId,
      transactionId: execution.id,
      status,
      estimatedExecutionTime: DateTime.formatIso(execution.estimatedExecutionTime)
    }
  })
})

export const executions = { execute }
