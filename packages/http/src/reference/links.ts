import type { Node } from "./json.ts"

const SIGN =
  "Sign each element of `signData` with the owner's key, as its `method` says. The signature of the last user operation is " +
  "`signature`; the others go where the request names them"

const execute = (hash: string): Node => ({
  operationId: "userOperations.execute",
  description: SIGN,
  requestBody: { userOperationHash: `{${hash}}`, signature: "the owner's signature" }
})

const lookUp = (hash: string): Node => ({
  operationId: "userOperations.get",
  description: "Look the operation up",
  parameters: { userOperationHash: hash }
})

const ofQuote = (path: string): Node => ({
  execute: execute(`$response.body#${path}/userOperationHash`),
  userOperation: lookUp(`$response.body#${path}/userOperationHash`)
})

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

/** How to go on from the answer of an operation: where the values come from that exist only at run time. */
export const links: Readonly<Record<string, Node>> = {
  "swap.quote": ofQuote("/quotes/0"),
  "transfer.quote": ofQuote("/transfer"),
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
