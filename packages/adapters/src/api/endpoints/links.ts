/** An endpoint that uses values of the response (OpenAPI 3.1, Link Object). */
export interface Link {
  /** Id of the linked endpoint. */
  readonly operationId: string
  readonly description: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly requestBody?: Readonly<Record<string, string>>
}

export type Links = Readonly<Record<string, Link>>

/** `hash` is the JSON pointer, in the response, to the hash of the user operation. */
export const userOperationLink = (hashPointer: string): Link => ({
  operationId: "userOperations.get",
  description: "Get the user operation",
  parameters: { userOperationHash: `$response.body#${hashPointer}` }
})

/** `quote` is the JSON pointer, in the response, to the quote. */
export const quoteLinks = (quotePointer: string): Links => ({
  execute: {
    operationId: "execute",
    description:
      "Sign each element of `signData` with the owner's key by its `method`, and send each signature under the element's `hash`",
    requestBody: { quoteId: `{$response.body#${quotePointer}/quoteId}`, signatures: "the owner's signatures" }
  },
  executeOperation: {
    operationId: "userOperations.execute",
    description: "Execute the user operation by its hash",
    requestBody: {
      userOperationHash: `{$response.body#${quotePointer}/userOperationHash}`,
      signature: "the owner's signature"
    }
  },
  userOperation: userOperationLink(`${quotePointer}/userOperationHash`)
})

/** `transactionId` is the JSON pointer, in the response, to the transaction id. */
export const historyLink = (transactionIdPointer: string): Link => ({
  operationId: "history.get",
  description: "Get the transaction and its status",
  parameters: { transactionId: `$response.body#${transactionIdPointer}` }
})

export const orderLink = (kind: "deposit" | "withdraw"): Link => ({
  operationId: `fiat.${kind}`,
  description: "Create an order from the quote",
  requestBody: { quoteId: "{$response.body#/quoteId}" }
})

export const fiatOrderLink: Link = {
  operationId: "fiat.order",
  description: "Get the order and its status",
  parameters: { orderId: "$response.body#/id" }
}

export const positionLink = (operation: "add" | "withdraw" | "rebalance", description: string): Link => ({
  operationId: `liquidity.${operation}`,
  description,
  requestBody: { tokenId: "{$response.body#/transactions/0/liquidity/tokenId}" }
})

export const webhookLink = (operation: string, description: string): Link => ({
  operationId: `webhooks.${operation}`,
  description,
  parameters: { id: "$response.body#/webhook/id" }
})

export const sessionLinks = (kind: "Business" | "Individual"): Links => ({
  session: {
    operationId: `kyc.${kind.toLowerCase()}`,
    description: "Get the session and its status",
    parameters: { sessionId: "$response.body#/session/id" }
  },
  process: {
    operationId: `kyc.process${kind}`,
    description: "Submit the documents once all of them are uploaded",
    parameters: { sessionId: "$response.body#/session/id" }
  }
})
