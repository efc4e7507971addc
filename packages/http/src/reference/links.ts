import type { Node } from "./json.ts"

const execute = (quoteId: string): Node => ({
  operationId: "executions.execute",
  description:
    "Sign each element of `signData` with the owner's key, as its `method` says, and give each signature under the element's `hash`",
  requestBody: { quoteId: `{${quoteId}}`, signatures: "the owner's signatures" }
})

const executeOperation = (hash: string): Node => ({
  operationId: "userOperations.execute",
  description: "The same by the hash of the user operation",
  requestBody: { userOperationHash: `{${hash}}`, signature: "the owner's signature" }
})

const lookUp = (hash: string): Node => ({
  operationId: "userOperations.get",
  description: "Look the operation up",
  parameters: { userOperationHash: hash }
})

const ofQuote = (path: string): Node => ({
  execute: execute(`$response.body#${path}/quoteId`),
  executeOperation: executeOperation(`$response.body#${path}/userOperationHash`),
  userOperation: lookUp(`$response.body#${path}/userOperationHash`)
})

const fiatOrder = (kind: "deposit" | "withdrawal"): Node => ({
  operationId: `fiat.${kind}`,
  description: "Make an order of the quote",
  requestBody: { quoteId: "{$response.body#/quoteId}" }
})

const fiatLookUp: Node = {
  operationId: "fiat.order",
  description: "Follow the order",
  parameters: { orderId: "$response.body#/id" }
}

const ofPosition = (operation: string, description: string): Node => ({
  operationId: `liquidity.${operation}`,
  description,
  requestBody: { tokenId: "{$response.body#/transactions/0/liquidity/tokenId}" }
})

const WEBHOOK_ID = "$response.body#/webhook/id"

const ofWebhook = (operation: string, description: string, parameters: Node = {}): Node => ({
  operationId: `webhooks.${operation}`,
  description,
  parameters: { id: WEBHOOK_ID, ...parameters }
})

const ofSession = (kind: "Business" | "Individual"): Node => ({
  session: {
    operationId: `verification.${kind.toLowerCase()}`,
    description: "Look at the session",
    parameters: { sessionId: "$response.body#/session/id" }
  },
  process: {
    operationId: `verification.process${kind}`,
    description: "Hand the documents in, once each is uploaded",
    parameters: { sessionId: "$response.body#/session/id" }
  }
})

/** How to go on from the answer of an operation: where the values come from that exist only at run time. */
export const links: Readonly<Record<string, Node>> = {
  "swap.quote": ofQuote("/quotes/0"),
  "limitOrders.place": {
    transaction: {
      operationId: "executions.transaction",
      description: "Look at what it has come to",
      parameters: { transactionId: "$response.body#/id" }
    },
    cancel: {
      operationId: "limitOrders.cancel",
      description: "Cancel it",
      parameters: { transactionId: "$response.body#/id" }
    }
  },
  "verification.startBusiness": ofSession("Business"),
  "verification.startIndividual": ofSession("Individual"),
  "transfer.quote": ofQuote("/transfer"),
  "fiat.depositQuote": { deposit: fiatOrder("deposit") },
  "fiat.withdrawalQuote": { withdrawal: fiatOrder("withdrawal") },
  "fiat.deposit": { order: fiatLookUp },
  "fiat.withdrawal": { order: fiatLookUp },
  "batch.quote": ofQuote(""),
  "lending.quote": ofQuote(""),
  "liquidity.create": ofQuote("/operation"),
  "liquidity.add": ofQuote("/operation"),
  "liquidity.withdraw": ofQuote("/operation"),
  "liquidity.rebalance": ofQuote("/operation"),
  "wallets.history": {
    add: ofPosition("add", "Add to the position"),
    withdraw: ofPosition("withdraw", "Withdraw from the position"),
    rebalance: ofPosition("rebalance", "Put the position into another range")
  },
  "executions.execute": {
    transaction: {
      operationId: "executions.transaction",
      description: "Look at what it has come to",
      parameters: { transactionId: "$response.body#/transactionId" }
    }
  },
  "userOperations.execute": { userOperation: lookUp("$response.body#/userOperationHash") },
  "webhooks.create": {
    show: ofWebhook("show", "Look the webhook up"),
    rotate: ofWebhook("rotate", "Replace its secret"),
    enable: ofWebhook("enable", "Enable it again after it was disabled"),
    test: ofWebhook("test", "Send it a test event"),
    deliveries: ofWebhook("deliveries", "See what was sent to it"),
    remove: ofWebhook("remove", "Delete it")
  },
  "webhooks.test": {
    redeliver: {
      operationId: "webhooks.redeliver",
      description: "Send the event again",
      parameters: { id: "$response.body#/delivery/webhookId", deliveryId: "$response.body#/delivery/id" }
    }
  }
}
