import { at, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import type { Quote } from "../quotes/index.ts"
import { aQuote } from "../quotes/Quote.fixture.ts"
import type { Execution } from "./Execution.ts"

/** Creates an execution of an accepted quote that is in its first stage. */
export const anExecution = (fields: Partial<Execution> = {}, quote: Quote = aQuote()): Execution => ({
  id: aUuid(),
  projectId: quote.projectId,
  quoteId: quote.id,
  walletAddress: quote.walletAddress,
  signatures: {},
  stages: quote.stages.map((stage) => ({ ...stage, state: "null", deadline: null })),
  at: 0,
  acceptedAt: at(0),
  estimatedExecutionTime: at(5_000),
  ...fields
})
