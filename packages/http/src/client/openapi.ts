// Made from the OpenAPI document by `npm run client:types -w packages/http`. Do not edit.

/** Hexadecimal text, as viem has it. */
export type Hex = `0x${string}`

export interface paths {
    "/api/v1/crypto/swap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quote a swap
         * @description Real-time quotes, best first by the route profile. Sign what `signData` asks for, then execute by `quoteId`.
         */
        post: operations["swap.quote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/crypto/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare a transfer
         * @description A transfer of a listed token, or of the chain's coin, with gas paid in any token that is accepted. The receiver gets `amount` less the fees; with DEDUCT_FROM_AMOUNT less the gas fee too. Sign what `signData` asks for, then execute by `quoteId`.
         */
        post: operations["transfer.quote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/crypto/batch-operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join transfers and swaps into one operation
         * @description Executed in list order, all or none, with one signature and one gas payment. Each swap is computed on the pools as the swaps before it leave them. All elements name the same `payGasFeeToken`; where elements ask for DEDUCT_FROM_AMOUNT, the gas fee is taken out of the first of them whose amount is in that token.
         */
        post: operations["batch.quote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/liquidity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a position
         * @description A new position of Uniswap V3 from one token, or from the chain's coin: what is not a token of the pool, or too much of one, is swapped on the way, so that all of it earns. Prices are whole tokens of `token1` for one whole `token0`, and are rounded to ticks that keep the asked range inside. A pool that does not exist is made. Sign what `signData` asks for, then execute by `quoteId`.
         */
        post: operations["liquidity.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/liquidity/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add to a position
         * @description More for a position of the wallet, from one token. minPrice and maxPrice are those of the position itself. Sign what `signData` asks for, then execute by `quoteId`.
         */
        post: operations["liquidity.add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/liquidity/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw from a position
         * @description A share of a position and all fees that it has earned, as one token. The fees of the project are taken of what really comes out; the rest is sent to toAddress. A position that is emptied is burned. Sign what `signData` asks for, then execute by `quoteId`.
         */
        post: operations["liquidity.withdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/liquidity/rebalance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rebalance a position
         * @description Everything out of a position, swapped as the new range needs it, and into a new NFT: one operation. The old NFT is burned; history keeps the two together by `positionId` in the metadata. Sign what `signData` asks for, then execute by `quoteId`.
         */
        post: operations["liquidity.rebalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lending/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare a lending operation
         * @description Supply, borrow, repay or withdraw, also supply and borrow, or repay and withdraw, as one operation: which legs are present says what it is. It is run on the latest state, which tells the health factor before and after it. Sign what `signData` asks for, then execute by `quoteId`.
         */
        post: operations["lending.quote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lending/markets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The markets in which tokens are lent
         * @description Rates, caps and loan-to-value ratios as of now, of listed tokens.
         */
        get: operations["lending.markets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{walletAddress}/lending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a wallet has supplied and owes
         * @description On every chain that is served, in listed tokens, interest included.
         */
        get: operations["lending.positions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/crypto/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a quote
         * @description Accepts any quote with what its owner signed: a signature for every element of `signData`, under the element's `hash`; none where there is none. What was quoted is checked once more first. Idempotent on the quote: the same request again gets the same answer, and it is executed once. On the sandbox `countersign sign` signs with the demonstration keys.
         */
        post: operations["executions.execute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/crypto/transactions/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A transaction by its id
         * @description The state of an execution, as the wallet's history shows it.
         */
        get: operations["executions.transaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/crypto/execute-user-op": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a signed operation
         * @description The same as POST /api/v1/crypto/execute for the quote of a user operation, by the operation's hash. On the sandbox `countersign sign` signs with the demonstration keys.
         */
        post: operations["userOperations.execute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/crypto/user-operation/{userOperationHash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look a user operation up by its hash
         * @description With every field that its hash is made of, so that the hash can be computed again.
         */
        get: operations["userOperations.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an owner's smart wallet with the project
         * @description Nothing goes on chain: the wallet's first operation deploys it. Each `salt` gives another wallet of the owner, and a wallet is registered once.
         */
        post: operations["wallets.register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{walletAddress}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Replace the metadata of a wallet
         * @description All pairs that it had are gone.
         */
        patch: operations["wallets.replaceMetadata"];
        trace?: never;
    };
    "/api/v1/wallets/address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The smart wallet of an owner, registered or not
         * @description Computes its address. `registeredAt` is null where the project has not registered it.
         */
        get: operations["wallets.address"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every wallet of the project
         * @description `deployed` is what was last seen of each; GET /api/v1/wallets/{walletAddress} asks the chains.
         */
        get: operations["wallets.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/factories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The supported account factories
         * @description The account kinds that a wallet can be of.
         */
        get: operations["wallets.factories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{walletAddress}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A registered wallet
         * @description The chains are asked where it is deployed.
         */
        get: operations["wallets.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{walletAddress}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transactions of a wallet, newest first, pending ones included
         * @description One page. `lastId` takes `nextLastId` of the page before it.
         */
        get: operations["wallets.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/crypto/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The supported chains
         * @description The operator decides which of them have a node.
         */
        get: operations["catalog.chains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/crypto/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The swap providers, and how they perform
         * @description What this process measured on the latest requests to each. A provider that is slower than usual is asked twice.
         */
        get: operations["catalog.providers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/crypto/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The supported tokens, by text and chain
         * @description A page of them. Only listed tokens can be swapped, sent and used for gas.
         */
        get: operations["catalog.tokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/liquidity/pools/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A pool, and what happened in it
         * @description The first request for a pool begins to count its events, from now backwards. Until a range is counted, its figures are null; `stats.indexedFrom` says how far that is.
         */
        get: operations["pools.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/liquidity/pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The pools of a chain, by tokens and fee
         * @description Of listed tokens, the most valuable first. Statistics are those of pools that were asked for by their id; of others they are null.
         */
        get: operations["pools.search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/liquidity/positions/{chainId}/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A position, its range and what it earns
         * @description A position of any wallet: positions are public. Fees are exactly what collecting them would pay at the block.
         */
        get: operations["pools.position"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The webhooks of the project
         * @description All of them, without their secrets.
         */
        get: operations["webhooks.list"];
        put?: never;
        /**
         * Create a webhook
         * @description Events are posted as `{type, timestamp, data}`, signed by Standard Webhooks with the secret that this answers once. `data` is the resource as the API answers it, with `metadataKey` and `metadataValue` (the first pair of its `metadata`), `sequence` (one more for each event of the resource) and `previousStatus`. An event may come more than once, under the same `webhook-id`. Answer 2xx within 15 seconds. Anything else is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; 410 disables the webhook; redirects are not followed.
         */
        post: operations["webhooks.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a webhook that was disabled
         * @description Events that were not sent in the meantime are sent on request: see redeliver.
         */
        post: operations["webhooks.enable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a webhook's secret
         * @description Until `overlapSeconds` (one day when left out) are over, deliveries carry a signature of each secret, so that receivers can change over one by one.
         */
        post: operations["webhooks.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook.test event to a webhook
         * @description It is sent also where the webhook does not subscribe to it. The answer is its delivery, before the first attempt.
         */
        post: operations["webhooks.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again, the same bytes under the same id
         * @description Also one that was delivered, or that failed for good.
         */
        post: operations["webhooks.redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A webhook
         * @description Without its secret.
         */
        get: operations["webhooks.show"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook with its deliveries
         * @description It gets no more events.
         */
        delete: operations["webhooks.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliveries of a webhook with their results, newest first
         * @description One page. `lastId` takes `nextLastId` of the page before it.
         */
        get: operations["webhooks.deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process runs
         * @description Needs no API key.
         */
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process can serve requests: its database answers and has room to store
         * @description Needs no API key.
         */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The body of an event */
        TransactionEvent: {
            /**
             * @description What happened
             * @enum {string}
             */
            type: "transaction.created" | "transaction.updated" | "transaction.completed" | "transaction.partially_completed" | "transaction.failed" | "transaction.cancelled" | "transaction.expired" | "transaction.refunded" | "transaction.reorged";
            /**
             * Format: date-time
             * @description When it happened
             */
            timestamp: string;
            /** @description The transaction as the history shows it */
            data: {
                metadata: components["schemas"]["Metadata"];
                /** @description Id of the transaction (UUID) */
                id: string;
                /**
                 * Format: date-time
                 * @description When the operation was accepted
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When the transaction last changed
                 */
                updatedAt: string;
                /** @description When it was executed: on a chain, the time of the last block; null while it is not over */
                executedAt: string | null;
                /**
                 * @description `PENDING_SIGNATURE`: waits for its owner. `PROCESSING`: is being included in a block. `ON_BRIDGE`: on its way between chains. `COMPLETED`: done; `PARTIALLY_COMPLETED`: done in part. `FAILED`: can't be executed any more. `CANCELLED`, `EXPIRED`: a limit order that ended. `REFUNDED`: what was sent came back
                 * @enum {string}
                 */
                status: "PENDING_SIGNATURE" | "PROCESSING" | "ON_BRIDGE" | "COMPLETED" | "PARTIALLY_COMPLETED" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED";
                /** @description More than the status says, in words such as `SUBMITTED` or `INCLUDED`; null for nothing */
                substatus: string | null;
                /** @description The transaction on chain */
                transactionHash: {
                    /** @description Hash of the transaction on chain; null while it is in no block */
                    hash: Hex | null;
                    /** @description Where a person can look at it; null while it has no hash */
                    explorerURL: string | null;
                    /** @description Name of that block explorer */
                    explorer: string | null;
                };
                /** @description Where it starts, or else where it ends; null where neither is a chain */
                chain: components["schemas"]["Chain"] | null;
                /** @description Where it starts; null where that is no chain */
                chainIn: components["schemas"]["Chain"] | null;
                /** @description Where it ends; null where that is no chain */
                chainOut: components["schemas"]["Chain"] | null;
                /**
                 * @description Kind of the transaction
                 * @enum {string}
                 */
                type: "SWAP" | "CROSS_SWAP" | "LENDING_SUPPLY" | "LENDING_SUPPLY_BORROW" | "LENDING_BORROW" | "LENDING_WITHDRAW" | "LENDING_REPAY" | "LENDING_REPAY_WITHDRAW" | "LENDING_LIQUIDATION" | "CRYPTO_DEPOSIT" | "CRYPTO_WITHDRAW" | "TRANSFER" | "BATCH" | "LIMIT_ORDER" | "LIMIT_ORDER_CANCEL" | "FIAT_DEPOSIT" | "FIAT_WITHDRAWAL" | "LIQUIDITY_CREATE" | "LIQUIDITY_ADD" | "LIQUIDITY_WITHDRAW" | "LIQUIDITY_REBALANCE" | "WALLET_DEPLOY";
                /** @description Hash of its user operation; null where it has none */
                userOperationHash: Hex | null;
                /** @description Address that received; null where nothing was received */
                receivedBy: string | null;
                /** @description Address that it came from; null where nothing was received */
                receivedFromAddress: string | null;
                /** @description Token that was received; null for nothing, or for a token that is not listed */
                receivedCryptoCurrency: components["schemas"]["Token"] | null;
                /** @description What was received; what is expected to be while the transaction is under way */
                receivedAmount: components["schemas"]["HistoryAmount"] | null;
                /** @description Address that it went to; null where nothing was sent */
                sentTo: string | null;
                /** @description Token that was sent; null for nothing, or for a token that is not listed */
                sentCryptoCurrency: components["schemas"]["Token"] | null;
                /** @description What was sent, without gas; what is expected to be while the transaction is under way */
                sentAmount: components["schemas"]["HistoryAmount"] | null;
                /** @description Id of the provider that made the swap; null of other transactions */
                swapProvider: string | null;
                /** @description The liquidity position that it is about; null of other transactions */
                liquidity: {
                    /** @description Number of the position's NFT; null for a new one that is not in a block yet */
                    tokenId: string | null;
                    /** @description Number of the first NFT of the position's life, which it keeps through rebalances */
                    positionId: string | null;
                } | null;
                /** @description More of a lending operation; null of other transactions */
                lending: {
                    /** @description Id of the lending provider */
                    provider: string;
                    /** @description Morpho Blue's id of the market; null of Aave V3 */
                    marketId: string | null;
                    /** @description As quoted; null without debt, and of liquidations */
                    healthFactorBefore: string | null;
                    /** @description As quoted; null without debt, and of liquidations */
                    healthFactorAfter: string | null;
                    /** @description Of a liquidation: the token of the debt that was repaid; else null */
                    debtToken: Hex | null;
                    /** @description Of a liquidation: how much of the debt was repaid, in whole tokens; else null */
                    debtAmount: string | null;
                } | null;
                /** @description Every fee that is taken */
                fees: components["schemas"]["Fee"][];
                /** @description Why it failed; null where it did not */
                failure: {
                    /** @description Short code of the reason */
                    code: string;
                    /** @description The reason in words */
                    message: string;
                } | null;
                /** @description Key of the first pair of the resource's metadata; null without any */
                metadataKey: string | null;
                /** @description Value of the first pair of the resource's metadata; null without any */
                metadataValue: string | null;
                /** @description Number of the event among those of its resource, from 1 without gaps */
                sequence: number;
                /** @description Status of the resource before; null where it had none */
                previousStatus: string | null;
            };
        };
        /** @description The body of an event */
        WalletEvent: {
            /**
             * @description What happened
             * @enum {string}
             */
            type: "wallet.registered" | "wallet.deployed";
            /**
             * Format: date-time
             * @description When it happened
             */
            timestamp: string;
            /** @description The wallet as the API shows it */
            data: {
                metadata: components["schemas"]["Metadata"];
                /** @description Address of the wallet, the same on every EVM chain */
                walletAddress: string;
                /** @description Address of its owner; null of a Bitcoin wallet */
                externallyOwnedAccount: Hex | null;
                /** @description Factory that deploys it; null of a Bitcoin wallet */
                factory: Hex | null;
                /** @description Contract with its code; null of a Bitcoin wallet */
                implementation: Hex | null;
                /** @description Whether it is the owner's own address with the code of a contract */
                eip7702: boolean;
                /** @description Where the wallet has code. Without it, its first operation deploys it */
                deployed: {
                    chain: components["schemas"]["Chain"];
                    /** @description Whether it has code there */
                    deployed: boolean;
                }[];
                /** @description Its salt; null of a Bitcoin wallet */
                salt: number | null;
                /** @description When it was registered; null while it is not */
                registeredAt: string | null;
                /** @description When its last operation was accepted; null before the first */
                lastTransactionAt: string | null;
                /** @description Chain on which the wallet was deployed; null where the event is not of a chain */
                chainId: number | null;
                /** @description Key of the first pair of the resource's metadata; null without any */
                metadataKey: string | null;
                /** @description Value of the first pair of the resource's metadata; null without any */
                metadataValue: string | null;
                /** @description Number of the event among those of its resource, from 1 without gaps */
                sequence: number;
                /** @description Status of the resource before; null where it had none */
                previousStatus: string | null;
            };
        };
        /** @description The body of an event */
        WebhookTestEvent: {
            /** @description What happened */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When it happened
             */
            timestamp: string;
            /** @description The webhook */
            data: {
                /** @description Id of the webhook that was asked to be tested */
                webhookId: string;
                /** @description Key of the first pair of the resource's metadata; null without any */
                metadataKey: string | null;
                /** @description Value of the first pair of the resource's metadata; null without any */
                metadataValue: string | null;
                /** @description Number of the event among those of its resource, from 1 without gaps */
                sequence: number;
                /** @description Status of the resource before; null where it had none */
                previousStatus: string | null;
            };
        };
        /** @description A supported chain */
        Chain: {
            /** @description EIP-155 chain id; 0 is Bitcoin */
            id: number;
            /** @description Name of the chain */
            name: string;
            /**
             * Format: uri-reference
             * @description Its logo, served by this service
             */
            logo: string;
        };
        /** @description The key/value pairs of the request */
        Metadata: {
            [key: string]: string;
        };
        /** @description What is taken, and by whom */
        Fee: {
            /**
             * @description `SERVICE`: transactionFeePercent, to the project's treasury. `EXTRA`: extraFee. `GAS`: the network's fee. `PROVIDER`: a bridge's or aggregator's own. `NETWORK`: a Bitcoin miner's
             * @enum {string}
             */
            type: "SERVICE" | "EXTRA" | "GAS" | "PROVIDER" | "NETWORK";
            /** @description Token in which the fee is taken; null where it is taken in a currency */
            token: Hex | null;
            /** @description Currency in which the fee is taken (ISO 4217); null where it is taken in a token */
            currency: string | null;
            /** @description In whole tokens, or whole units of the currency. `GAS` of a quote, and of a transaction that is under way: the most that gas can cost, the same as `maxGasFeeToken`. `GAS` of a transaction that has ended: what it did cost. Other fees are taken as quoted, and are 0 where the transaction failed */
            amount: string;
            /** @description The most that `GAS` can take, in whole tokens; null of other fees */
            maxAmount: string | null;
            /** @description Address that receives the fee; null where it has none */
            toAddress: string | null;
            /** @description Percent of the amount before any fee; null where the fee is no percentage */
            percentage: string | null;
        };
        /** @description An amount, with its value when the transaction was recorded */
        HistoryAmount: {
            /** @description The token; null for one that the service does not list, and of a currency */
            token: components["schemas"]["Token"] | null;
            /** @description The currency (ISO 4217) where it is one of a bank; null of a token */
            currency: string | null;
            /** @description In whole tokens, or whole units of the currency; in base units where the token is not listed */
            amount: string;
            amountIn: components["schemas"]["FiatValueMap"];
            /** @description The same as `token` */
            cryptoCurrency: components["schemas"]["Token"] | null;
        };
        /** @description A supported token */
        Token: {
            /** @description Full name */
            name: string;
            /** @description Short name, such as USDC */
            symbol: string;
            /** @description Digits after the point: amounts have at most as many */
            decimals: number;
            /**
             * Format: hex
             * @description Its contract; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the chain's own coin
             */
            address: Hex;
            /**
             * Format: uri-reference
             * @description Its logo, served by this service
             */
            logoURL: string;
            /** @description Id of the chain that it is on */
            chainId: number;
        };
        /** @description A value in many currencies, with at most 8 decimals */
        FiatValueMap: {
            /** @description Value in BTC; null where the rate is not known */
            btc: string | null;
            /** @description Value in ETH; null where the rate is not known */
            eth: string | null;
            /** @description Value in LTC; null where the rate is not known */
            ltc: string | null;
            /** @description Value in BCH; null where the rate is not known */
            bch: string | null;
            /** @description Value in BNB; null where the rate is not known */
            bnb: string | null;
            /** @description Value in EOS; null where the rate is not known */
            eos: string | null;
            /** @description Value in XRP; null where the rate is not known */
            xrp: string | null;
            /** @description Value in XLM; null where the rate is not known */
            xlm: string | null;
            /** @description Value in LINK; null where the rate is not known */
            link: string | null;
            /** @description Value in DOT; null where the rate is not known */
            dot: string | null;
            /** @description Value in YFI; null where the rate is not known */
            yfi: string | null;
            /** @description Value in USD; null where the rate is not known */
            usd: string | null;
            /** @description Value in AED; null where the rate is not known */
            aed: string | null;
            /** @description Value in ARS; null where the rate is not known */
            ars: string | null;
            /** @description Value in AUD; null where the rate is not known */
            aud: string | null;
            /** @description Value in BDT; null where the rate is not known */
            bdt: string | null;
            /** @description Value in BHD; null where the rate is not known */
            bhd: string | null;
            /** @description Value in BMD; null where the rate is not known */
            bmd: string | null;
            /** @description Value in BRL; null where the rate is not known */
            brl: string | null;
            /** @description Value in CAD; null where the rate is not known */
            cad: string | null;
            /** @description Value in CHF; null where the rate is not known */
            chf: string | null;
            /** @description Value in CLP; null where the rate is not known */
            clp: string | null;
            /** @description Value in CNY; null where the rate is not known */
            cny: string | null;
            /** @description Value in CZK; null where the rate is not known */
            czk: string | null;
            /** @description Value in DKK; null where the rate is not known */
            dkk: string | null;
            /** @description Value in EUR; null where the rate is not known */
            eur: string | null;
            /** @description Value in GBP; null where the rate is not known */
            gbp: string | null;
            /** @description Value in GEL; null where the rate is not known */
            gel: string | null;
            /** @description Value in HKD; null where the rate is not known */
            hkd: string | null;
            /** @description Value in HUF; null where the rate is not known */
            huf: string | null;
            /** @description Value in IDR; null where the rate is not known */
            idr: string | null;
            /** @description Value in ILS; null where the rate is not known */
            ils: string | null;
            /** @description Value in INR; null where the rate is not known */
            inr: string | null;
            /** @description Value in JPY; null where the rate is not known */
            jpy: string | null;
            /** @description Value in KRW; null where the rate is not known */
            krw: string | null;
            /** @description Value in KWD; null where the rate is not known */
            kwd: string | null;
            /** @description Value in LKR; null where the rate is not known */
            lkr: string | null;
            /** @description Value in MMK; null where the rate is not known */
            mmk: string | null;
            /** @description Value in MXN; null where the rate is not known */
            mxn: string | null;
            /** @description Value in MYR; null where the rate is not known */
            myr: string | null;
            /** @description Value in NGN; null where the rate is not known */
            ngn: string | null;
            /** @description Value in NOK; null where the rate is not known */
            nok: string | null;
            /** @description Value in NZD; null where the rate is not known */
            nzd: string | null;
            /** @description Value in PHP; null where the rate is not known */
            php: string | null;
            /** @description Value in PKR; null where the rate is not known */
            pkr: string | null;
            /** @description Value in PLN; null where the rate is not known */
            pln: string | null;
            /** @description Value in RUB; null where the rate is not known */
            rub: string | null;
            /** @description Value in SAR; null where the rate is not known */
            sar: string | null;
            /** @description Value in SEK; null where the rate is not known */
            sek: string | null;
            /** @description Value in SGD; null where the rate is not known */
            sgd: string | null;
            /** @description Value in THB; null where the rate is not known */
            thb: string | null;
            /** @description Value in TRY; null where the rate is not known */
            try: string | null;
            /** @description Value in TWD; null where the rate is not known */
            twd: string | null;
            /** @description Value in UAH; null where the rate is not known */
            uah: string | null;
            /** @description Value in VEF; null where the rate is not known */
            vef: string | null;
            /** @description Value in VND; null where the rate is not known */
            vnd: string | null;
            /** @description Value in ZAR; null where the rate is not known */
            zar: string | null;
            /** @description Value in XDR; null where the rate is not known */
            xdr: string | null;
            /** @description Value in XAG; null where the rate is not known */
            xag: string | null;
            /** @description Value in XAU; null where the rate is not known */
            xau: string | null;
            /** @description Value in BITS; null where the rate is not known */
            bits: string | null;
            /** @description Value in SATS; null where the rate is not known */
            sats: string | null;
        };
        /** @description The service, or this project's share of it, is busy. Try again after the seconds of `Retry-After`. */
        Error_OVERLOADED: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 503;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "OVERLOADED";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description Something went wrong on the service's side. Give `traceId` to the operator. A POST may be repeated under the same `Idempotency-Key`. */
        Error_INTERNAL_SERVER_ERROR: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 500;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "INTERNAL_SERVER_ERROR";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The headers are too large. Send fewer or shorter headers. */
        Error_HEADERS_TOO_LARGE: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 431;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "HEADERS_TOO_LARGE";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The request did not arrive in time. Send it again on a new connection. */
        Error_REQUEST_TIMEOUT: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 408;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "REQUEST_TIMEOUT";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The endpoint does not take this method. Use a method of the `Allow` header. */
        Error_METHOD_NOT_ALLOWED: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 405;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "METHOD_NOT_ALLOWED";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The request can't be carried out as written. `errors` lists every problem with its field. Fix the request; the same one fails again. */
        Error_BAD_REQUEST: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 400;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "BAD_REQUEST";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
            /** @description Every problem of the request. Absent where the request could not be read at all */
            errors?: components["schemas"]["RequestProblem"][];
        };
        /** @description One thing that is wrong with a request */
        RequestProblem: {
            /** @description The field, such as `body.amountIn` or `query.take` */
            path: string;
            /** @description Short code: `missing`, `unknown_field`, `invalid` or a narrower one */
            code: string;
            /** @description What is wrong with it */
            message: string;
        };
        /** @description Something that the service relies on, such as a chain's node, gave no usable answer. Try again shortly. `message` names it. */
        Error_UPSTREAM_UNAVAILABLE: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 502;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "UPSTREAM_UNAVAILABLE";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The process can serve requests */
        Readiness: {
            /**
             * @description It serves
             * @enum {string}
             */
            status: "ready";
            /** @description Each thing that was looked at: `ok` */
            checks: {
                [key: string]: string;
            };
        };
        /** @description The process runs */
        Health: {
            /**
             * @description It runs
             * @enum {string}
             */
            status: "ok";
        };
        /** @description The API key has made as many requests as it may for now. Try again after the seconds of `Retry-After`. */
        Error_RATE_LIMITED: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 429;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "RATE_LIMITED";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The request has no valid API key. Send the project's key in the `x-api-key` header. It may have expired or been revoked. */
        Error_INVALID_API_KEY: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 401;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "INVALID_API_KEY";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The project has used up its compute units. Ask the operator for more. Requests that cost less may still be answered. */
        Error_UNAVAILABLE_COMPUTE_UNITS: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 403;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "UNAVAILABLE_COMPUTE_UNITS";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The API key lacks the scope that this request needs. Use a key with the scope that `message` names. */
        Error_FORBIDDEN_SCOPE: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 403;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "FORBIDDEN_SCOPE";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The project has no such webhook. GET /api/v1/webhooks lists them. */
        Error_WEBHOOK_NOT_FOUND: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 404;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "WEBHOOK_NOT_FOUND";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description A page of a webhook's deliveries */
        Deliveries: {
            /** @description `lastId` of the next page; null where this is the last */
            nextLastId: string | null;
            /** @description Newest first */
            deliveries: components["schemas"]["WebhookDelivery"][];
        };
        /** @description An event on its way to a webhook */
        WebhookDelivery: {
            /** @description Id of the delivery */
            id: string;
            /** @description Id of the webhook */
            webhookId: string;
            /** @description The `webhook-id` header: the same in every attempt */
            eventId: string;
            /** @description Type of the event */
            type: string;
            /** @description Kind and id of the resource that the event is about */
            resource: string;
            /** @description Number of the event among those of its resource, from 1 without gaps */
            sequence: number;
            /**
             * @description `PENDING`: will be tried, or tried again. `DELIVERED`: the receiver took it. `FAILED`: every attempt failed. `DISABLED`: the webhook was disabled before it was delivered
             * @enum {string}
             */
            status: "PENDING" | "DELIVERED" | "FAILED" | "DISABLED";
            /** @description Attempts so far */
            attempts: number;
            /** @description When it is tried next; null where it is not */
            nextAttemptAt: string | null;
            /** @description HTTP status of the last attempt; null without an answer */
            lastResponseStatus: number | null;
            /** @description What went wrong in the last attempt; null for nothing */
            lastError: string | null;
            /**
             * Format: date-time
             * @description When the event happened
             */
            createdAt: string;
            /** @description When it was delivered; null while it is not */
            deliveredAt: string | null;
            /** @description The latest attempts */
            attemptLog: {
                /**
                 * Format: date-time
                 * @description When it was tried
                 */
                at: string;
                /** @description Milliseconds until the answer or the failure */
                durationMs: number;
                /** @description HTTP status of the answer; null without one */
                responseStatus: number | null;
                /** @description What went wrong; null for nothing */
                error: string | null;
            }[];
        };
        /** @description The webhook */
        WebhookAnswer: {
            webhook: components["schemas"]["Webhook"];
        };
        /** @description A receiver of events */
        Webhook: {
            /** @description Id of the webhook */
            id: string;
            /**
             * Format: uri-reference
             * @description Where events are sent to
             */
            url: string;
            /** @description Your own note */
            description: string;
            /** @description Which events it gets; null for all */
            eventTypes: string[] | null;
            /**
             * @description Whether events are sent to it
             * @enum {string}
             */
            status: "ENABLED" | "DISABLED";
            /** @description When it was disabled; null while it is enabled */
            disabledAt: string | null;
            /** @description Why it was disabled; null while it is enabled */
            disabledReason: string | null;
            /** @description Since when every delivery to it has failed; null after a successful one. After 5 days it may be disabled */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            /** @description Secrets that sign deliveries at present. The secrets themselves are not shown */
            secrets: {
                /**
                 * Format: date-time
                 * @description When the secret was created
                 */
                createdAt: string;
                /** @description When it ends; null for the current one */
                expiresAt: string | null;
            }[];
        };
        /** @description The project's webhooks */
        Webhooks: Record<string, never>;
        /** @description The body is too large. Send less. `message` names the limit. */
        Error_PAYLOAD_TOO_LARGE: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 413;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "PAYLOAD_TOO_LARGE";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description A request with this `Idempotency-Key` is still being answered. Repeat it a little later to get its answer. */
        Error_IDEMPOTENT_REQUEST_RUNNING: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 409;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "IDEMPOTENT_REQUEST_RUNNING";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The `Idempotency-Key` was used for another request within 24 hours. Use a new key for each request, and the same only for a repeat of the same request. */
        Error_IDEMPOTENCY_KEY_REUSED: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 409;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "IDEMPOTENCY_KEY_REUSED";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The webhook is disabled. Enable it with POST /api/v1/webhooks/{id}/enable. */
        Error_WEBHOOK_DISABLED: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 409;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "WEBHOOK_DISABLED";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The webhook has no such delivery. GET /api/v1/webhooks/{id}/deliveries lists them. */
        Error_WEBHOOK_DELIVERY_NOT_FOUND: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 404;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "WEBHOOK_DELIVERY_NOT_FOUND";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The delivery */
        DeliveryAnswer: {
            delivery: components["schemas"]["WebhookDelivery"];
        };
        /** @description The webhook and its secret */
        WebhookWithSecret: {
            webhook: components["schemas"]["Webhook"];
            /** @description The key that signs deliveries (Standard Webhooks). It is shown only in this answer: a repeat under the same `Idempotency-Key` has null in its place. If it is lost, rotate the secret under another key */
            secret: string | null;
        };
        /** @description The body is not declared as JSON. Send `content-type: application/json`. */
        Error_UNSUPPORTED_MEDIA_TYPE: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 415;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "UNSUPPORTED_MEDIA_TYPE";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description A webhook to create */
        CreateWebhookRequest: {
            /** @description Where events are sent to: an https URL that can be reached from the internet */
            url: string;
            /**
             * @description Which events; null for all
             * @default null
             */
            eventTypes?: [
                "transaction.created" | "transaction.updated" | "transaction.completed" | "transaction.partially_completed" | "transaction.failed" | "transaction.cancelled" | "transaction.expired" | "transaction.refunded" | "transaction.reorged" | "wallet.registered" | "wallet.deployed" | "ramp.deposit.created" | "ramp.deposit.funds_received" | "ramp.deposit.processing" | "ramp.deposit.in_review" | "ramp.deposit.completed" | "ramp.deposit.expired" | "ramp.deposit.cancelled" | "ramp.deposit.failed" | "ramp.deposit.returned" | "ramp.deposit.refunded" | "ramp.withdrawal.created" | "ramp.withdrawal.funds_received" | "ramp.withdrawal.processing" | "ramp.withdrawal.in_review" | "ramp.withdrawal.completed" | "ramp.withdrawal.expired" | "ramp.withdrawal.cancelled" | "ramp.withdrawal.failed" | "ramp.withdrawal.returned" | "ramp.withdrawal.refunded" | "kyc.session.created" | "kyc.session.verifying" | "kyc.session.in_review" | "kyc.session.completed" | "kyc.session.failed" | "kyc.session.expired" | "kyb.session.created" | "kyb.session.verifying" | "kyb.session.in_review" | "kyb.session.completed" | "kyb.session.failed" | "kyb.session.expired" | "tax_export.delivered" | "tax_export.failed" | "webhook.test" | "transaction.*" | "wallet.*" | "ramp.deposit.*" | "ramp.withdrawal.*" | "kyc.session.*" | "kyb.session.*" | "tax_export.*"
            ] | null;
            /**
             * @description Your own note, at most 200 characters
             * @default
             */
            description?: string;
        };
        /** @description Uniswap's position manager on this chain has no such NFT. Check the chain and the NFT's number. A position that was emptied may have been burnt. */
        Error_LIQUIDITY_POSITION_NOT_FOUND: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 404;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "LIQUIDITY_POSITION_NOT_FOUND";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The service does not support a token of the request. Use a token of GET /api/v1/crypto/tokens. `message` names the field and the chain. */
        Error_NOT_AUTHORIZED_TOKENS: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 400;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "NOT_AUTHORIZED_TOKENS";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description A position, and what it earns */
        LiquidityPositionResponse: {
            position: components["schemas"]["LiquidityPosition"];
        };
        /** @description A position of Uniswap V3 */
        LiquidityPosition: {
            /** @description Whose position it is */
            provider: {
                /** @description Name of the provider in requests */
                id: string;
                /** @description Name of the exchange */
                name: string;
                /**
                 * Format: uri-reference
                 * @description Its logo, served by this service
                 */
                logoUrl: string;
                /**
                 * Format: uri-reference
                 * @description The NFT in a block explorer
                 */
                explorerURL: string;
            };
            chain: components["schemas"]["Chain"];
            /** @description Number of the NFT */
            tokenId: string;
            /**
             * Format: hex
             * @description Contract of the NFT
             */
            nftAddress: Hex;
            /**
             * Format: hex
             * @description Who owns the NFT
             */
            owner: Hex;
            /** @description The pool that the position is in */
            pool: {
                /** @description Id of the pool, for GET /api/v1/liquidity/pools/{id} */
                id: string;
                /**
                 * Format: hex
                 * @description Its contract
                 */
                address: Hex;
                /** @description What a swap pays, in percent */
                fee: number;
            };
            /** @description The prices between which it earns */
            range: {
                /** @description Whole token1 for one whole token0 at its lower end */
                minPrice: string;
                /** @description The same at its upper end */
                maxPrice: string;
                /** @description Tick of the lower end */
                tickLower: number;
                /** @description Tick of the upper end */
                tickUpper: number;
            };
            /** @description Whether it earns at the pool's price */
            inRange: boolean;
            /** @description Whole token1 for one whole token0 in the pool, at this moment */
            currentPrice: string;
            /** @description Tick of that price */
            currentTick: number;
            /** @description Its liquidity, as the pool counts it */
            liquidity: string;
            /** @description token0 and token1 of the pool */
            tokens: components["schemas"]["LiquidityPositionToken"][];
            /** @description What the liquidity is worth in US dollars, without fees; null where a price is not known */
            valueUSD: string | null;
            /** @description What the unclaimed fees are worth */
            unclaimedFeesUSD: string | null;
            /** @description What all fees since it was made are worth at the prices of now */
            earnedFeesUSD: string | null;
            /** @description When it was made; null where the nodes don't say */
            createdAt: string | null;
            /** @description Percent a year that it has earned so far: earned fees / value / age */
            apr: string | null;
            /** @description Percent a year by the fees of the last seven days and its share of the liquidity in range; 0 out of its range */
            estimatedApr: string | null;
            /** @description Block at which all of this was read */
            blockNumber: number;
        };
        /** @description A token of a position */
        LiquidityPositionToken: {
            /** @description Full name */
            name: string;
            /** @description Short name, such as USDC */
            symbol: string;
            /** @description Digits after the point */
            decimals: number;
            /**
             * Format: hex
             * @description Its contract
             */
            address: Hex;
            /**
             * Format: uri-reference
             * @description Its logo, served by this service
             */
            logo: string;
            /** @description What the liquidity would give of it now, in whole tokens, without fees */
            amount: string;
            /** @description What collecting would pay of it now */
            unclaimedFees: string;
            /** @description Fees since the position was made, collected ones included; null where the nodes don't say */
            earnedFees: string | null;
        };
        /** @description A page of pools */
        LiquidityPools: {
            /** @description The most valuable first */
            pools: components["schemas"]["LiquidityPool"][];
            /** @description `lastId` of the next page; null on the last one */
            nextLastId: string | null;
        };
        /** @description A pool of two tokens */
        LiquidityPool: {
            /** @description Id of the pool: the chain's id, a hyphen and its address */
            id: string;
            /** @description Whose pool it is */
            provider: {
                /** @description Name of the provider in requests */
                id: string;
                /** @description Name of the exchange */
                name: string;
                /**
                 * Format: uri-reference
                 * @description Its logo, served by this service
                 */
                logoUrl: string;
                /**
                 * Format: uri-reference
                 * @description The pool in a block explorer
                 */
                explorerURL: string;
            };
            /**
             * Format: hex
             * @description Its contract
             */
            address: Hex;
            chain: components["schemas"]["Chain"];
            /** @description What a swap pays, in percent */
            fee: number;
            /** @description Whole token1 for one whole token0, at this moment */
            price: string;
            /** @description What the pool has in US dollars; null where a price is not known */
            totalValueLockedUSD: string | null;
            /** @description token0 and token1 */
            tokens: components["schemas"]["LiquidityPoolToken"][];
            stats: components["schemas"]["LiquidityPoolStats"];
        };
        /** @description What happened in a pool. A range that is not counted yet is null and never zero */
        LiquidityPoolStats: {
            /** @description Days that they are of: whole hours, the current one included */
            rangeInDays: number;
            /** @description What swaps and flash loans paid in fees; null where it is not known */
            feesInUSD: string | null;
            /** @description What was swapped; null where it is not known */
            volumeInUSD: string | null;
            /** @description Transactions that swapped or changed liquidity; null where it is not known */
            transactionsCount: number | null;
            /** @description What was swapped in whole tokens, of each token of `tokens`; null where it is not known */
            volumes: string[] | null;
            /** @description The fees in whole tokens, of each token of `tokens`; null where they are not known */
            fees: string[] | null;
            /** @description Everything since then is counted; null before the first block is */
            indexedFrom: string | null;
            /** @description Whether counting is complete: back to the pool's first block, or for more than a year */
            complete: boolean;
        };
        /** @description A token of a pool, and what the pool has of it */
        LiquidityPoolToken: {
            /** @description Full name */
            name: string;
            /** @description Short name, such as USDC */
            symbol: string;
            /** @description Digits after the point */
            decimals: number;
            /**
             * Format: hex
             * @description Its contract
             */
            address: Hex;
            /** @description Its part of the pool's value in percent; null where a price is not known */
            poolShareInPercentage: number | null;
            /** @description The same as a part of 1 */
            poolShare: number | null;
            /** @description What the pool has of it in whole tokens, uncollected fees included */
            amount: string;
            /**
             * Format: uri-reference
             * @description Its logo, served by this service
             */
            logo: string;
        };
        /** @description No Uniswap V3 pool has this address on this chain. Use an id of GET /api/v1/liquidity/pools. Pools of other exchanges are not shown. */
        Error_LIQUIDITY_POOL_NOT_FOUND: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 404;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "LIQUIDITY_POOL_NOT_FOUND";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description A pool with its statistics */
        LiquidityPoolResponse: {
            pool: components["schemas"]["LiquidityPool"];
        };
        /** @description A page of the supported tokens */
        Tokens: {
            /** @description Tokens of this page */
            tokens: components["schemas"]["Token"][];
            /** @description Tokens that match, on all pages */
            total: number;
            /** @description Number of this page */
            page: number;
            /** @description Tokens on a page */
            perPage: number;
        };
        /** @description The providers that swaps are asked of */
        Providers: {
            /** @description In the order in which equal quotes are preferred */
            providers: components["schemas"]["Provider"][];
        };
        /** @description A provider of swaps, and what this process has seen of it lately */
        Provider: {
            /** @description Id of the provider, as in quotes */
            provider: string;
            /** @description Its name */
            name: string;
            /** @description How many of its latest requests are counted, 100 at most */
            asked: number;
            /** @description Those of them that gave an offer */
            offered: number;
            /** @description Those that gave a reason why there is none */
            refused: number;
            /** @description Those that broke off, or were not answered in time */
            failed: number;
            /** @description Those that were cut off, because another quote came first */
            abandoned: number;
            /** @description Median time to answer, in milliseconds; null before the first */
            medianMs: number | null;
            /** @description 95th percentile of the time to answer, in milliseconds; null before the first */
            p95Ms: number | null;
        };
        /** @description The supported chains */
        Chains: {
            /** @description Every supported chain */
            chains: components["schemas"]["Chain"][];
        };
        /** @description The wallet is not registered with this project. Register it with POST /api/v1/wallets/register, or check the address and the API key. */
        Error_ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 404;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description A page of a wallet's history */
        HistoryPage: {
            /** @description `lastId` of the next page; null where this is the last */
            nextLastId: string | null;
            /** @description Newest first */
            transactions: components["schemas"]["HistoryTransaction"][];
        };
        /** @description A transaction of a wallet, as its owner sees it */
        HistoryTransaction: {
            metadata: components["schemas"]["Metadata"];
            /** @description Id of the transaction (UUID) */
            id: string;
            /**
             * Format: date-time
             * @description When the operation was accepted
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the transaction last changed
             */
            updatedAt: string;
            /** @description When it was executed: on a chain, the time of the last block; null while it is not over */
            executedAt: string | null;
            /**
             * @description `PENDING_SIGNATURE`: waits for its owner. `PROCESSING`: is being included in a block. `ON_BRIDGE`: on its way between chains. `COMPLETED`: done; `PARTIALLY_COMPLETED`: done in part. `FAILED`: can't be executed any more. `CANCELLED`, `EXPIRED`: a limit order that ended. `REFUNDED`: what was sent came back
             * @enum {string}
             */
            status: "PENDING_SIGNATURE" | "PROCESSING" | "ON_BRIDGE" | "COMPLETED" | "PARTIALLY_COMPLETED" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED";
            /** @description More than the status says, in words such as `SUBMITTED` or `INCLUDED`; null for nothing */
            substatus: string | null;
            /** @description The transaction on chain */
            transactionHash: {
                /** @description Hash of the transaction on chain; null while it is in no block */
                hash: Hex | null;
                /** @description Where a person can look at it; null while it has no hash */
                explorerURL: string | null;
                /** @description Name of that block explorer */
                explorer: string | null;
            };
            /** @description Where it starts, or else where it ends; null where neither is a chain */
            chain: components["schemas"]["Chain"] | null;
            /** @description Where it starts; null where that is no chain */
            chainIn: components["schemas"]["Chain"] | null;
            /** @description Where it ends; null where that is no chain */
            chainOut: components["schemas"]["Chain"] | null;
            /**
             * @description Kind of the transaction
             * @enum {string}
             */
            type: "SWAP" | "CROSS_SWAP" | "LENDING_SUPPLY" | "LENDING_SUPPLY_BORROW" | "LENDING_BORROW" | "LENDING_WITHDRAW" | "LENDING_REPAY" | "LENDING_REPAY_WITHDRAW" | "LENDING_LIQUIDATION" | "CRYPTO_DEPOSIT" | "CRYPTO_WITHDRAW" | "TRANSFER" | "BATCH" | "LIMIT_ORDER" | "LIMIT_ORDER_CANCEL" | "FIAT_DEPOSIT" | "FIAT_WITHDRAWAL" | "LIQUIDITY_CREATE" | "LIQUIDITY_ADD" | "LIQUIDITY_WITHDRAW" | "LIQUIDITY_REBALANCE" | "WALLET_DEPLOY";
            /** @description Hash of its user operation; null where it has none */
            userOperationHash: Hex | null;
            /** @description Address that received; null where nothing was received */
            receivedBy: string | null;
            /** @description Address that it came from; null where nothing was received */
            receivedFromAddress: string | null;
            /** @description Token that was received; null for nothing, or for a token that is not listed */
            receivedCryptoCurrency: components["schemas"]["Token"] | null;
            /** @description What was received; what is expected to be while the transaction is under way */
            receivedAmount: components["schemas"]["HistoryAmount"] | null;
            /** @description Address that it went to; null where nothing was sent */
            sentTo: string | null;
            /** @description Token that was sent; null for nothing, or for a token that is not listed */
            sentCryptoCurrency: components["schemas"]["Token"] | null;
            /** @description What was sent, without gas; what is expected to be while the transaction is under way */
            sentAmount: components["schemas"]["HistoryAmount"] | null;
            /** @description Id of the provider that made the swap; null of other transactions */
            swapProvider: string | null;
            /** @description The liquidity position that it is about; null of other transactions */
            liquidity: {
                /** @description Number of the position's NFT; null for a new one that is not in a block yet */
                tokenId: string | null;
                /** @description Number of the first NFT of the position's life, which it keeps through rebalances */
                positionId: string | null;
            } | null;
            /** @description More of a lending operation; null of other transactions */
            lending: {
                /** @description Id of the lending provider */
                provider: string;
                /** @description Morpho Blue's id of the market; null of Aave V3 */
                marketId: string | null;
                /** @description As quoted; null without debt, and of liquidations */
                healthFactorBefore: string | null;
                /** @description As quoted; null without debt, and of liquidations */
                healthFactorAfter: string | null;
                /** @description Of a liquidation: the token of the debt that was repaid; else null */
                debtToken: Hex | null;
                /** @description Of a liquidation: how much of the debt was repaid, in whole tokens; else null */
                debtAmount: string | null;
            } | null;
            /** @description Every fee that is taken */
            fees: components["schemas"]["Fee"][];
            /** @description Why it failed; null where it did not */
            failure: {
                /** @description Short code of the reason */
                code: string;
                /** @description The reason in words */
                message: string;
            } | null;
        };
        /** @description The wallet */
        WalletAnswer: {
            wallet: components["schemas"]["Wallet"];
        };
        /** @description A smart wallet */
        Wallet: {
            metadata: components["schemas"]["Metadata"];
            /** @description Address of the wallet, the same on every EVM chain */
            walletAddress: string;
            /** @description Address of its owner; null of a Bitcoin wallet */
            externallyOwnedAccount: Hex | null;
            /** @description Factory that deploys it; null of a Bitcoin wallet */
            factory: Hex | null;
            /** @description Contract with its code; null of a Bitcoin wallet */
            implementation: Hex | null;
            /** @description Whether it is the owner's own address with the code of a contract */
            eip7702: boolean;
            /** @description Where the wallet has code. Without it, its first operation deploys it */
            deployed: {
                chain: components["schemas"]["Chain"];
                /** @description Whether it has code there */
                deployed: boolean;
            }[];
            /** @description Its salt; null of a Bitcoin wallet */
            salt: number | null;
            /** @description When it was registered; null while it is not */
            registeredAt: string | null;
            /** @description When its last operation was accepted; null before the first */
            lastTransactionAt: string | null;
        };
        /** @description The supported account kinds */
        Factories: {
            /** @description Every supported account kind */
            factories: components["schemas"]["Factory"][];
        };
        /** @description An account kind */
        Factory: {
            /**
             * Format: hex
             * @description Address of the factory; of an EIP-7702 account that of its implementation
             */
            factory: Hex;
            /**
             * Format: hex
             * @description Contract with the account's code
             */
            implementation: Hex;
            /** @description Name of the account kind */
            name: string;
            /**
             * Format: hex
             * @description EntryPoint that the account works with
             */
            entryPoint: Hex;
            /** @description Version of the EntryPoint: 0.7 or 0.8 */
            entryPointVersion: string;
            /** @description Whether it is for EIP-7702: register with `eip7702: true` */
            eip7702: boolean;
        };
        /** @description The project's wallets */
        Wallets: {
            /** @description Every wallet of the project */
            wallets: components["schemas"]["Wallet"][];
        };
        /** @description The project does not exist. Use another project's API key. */
        Error_PROJECT_NOT_FOUND: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 404;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "PROJECT_NOT_FOUND";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The account factory is not supported, or not in this way. Use one of GET /api/v1/wallets/factories, with `eip7702` as it is given there. */
        Error_FACTORY_NOT_SUPPORTED: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 400;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "FACTORY_NOT_SUPPORTED";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description New metadata of a wallet */
        WalletMetadataRequest: {
            /** @description The new key/value pairs, at most 50. They replace all that the wallet has */
            metadata: {
                [key: string]: string;
            };
        };
        /** @description The project has registered this wallet before. Go on: GET /api/v1/wallets/address shows it. */
        Error_WALLET_ALREADY_REGISTERED: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 400;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "WALLET_ALREADY_REGISTERED";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description A wallet to register */
        RegisterWalletRequest: {
            /** @description Address of the owner: the key that signs for the wallet */
            externallyOwnedAccount: string;
            /** @description Account factory, one of GET /api/v1/wallets/factories */
            factory: string;
            /** @description A whole number, as text or as a number; 0 when left out. Each salt gives another wallet of the same owner. Not together with `eip7702` */
            salt?: string | number;
            /**
             * @description Whether the owner's own address takes on the account's code (EIP-7702)
             * @default false
             */
            eip7702?: boolean;
            /**
             * @description Your own key/value pairs, at most 50. They are echoed on the resource and can filter the history
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description The project has no operation with this hash. Use `userOperationHash` of a quote that this project made. Quotes that were not executed are deleted after a time. */
        Error_USER_OPERATION_NOT_FOUND: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 404;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "USER_OPERATION_NOT_FOUND";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The user operation */
        UserOperationAnswer: {
            userOperation: components["schemas"]["UserOperation"];
        };
        /** @description An ERC-4337 user operation. Whole numbers are decimal strings */
        UserOperation: {
            metadata: components["schemas"]["Metadata"];
            revertReason?: components["schemas"]["RevertReason"];
            authorization?: components["schemas"]["Authorization"];
            /** @description Chain where the transaction starts */
            chainIn: components["schemas"]["Chain"];
            /** @description Chain where the transaction ends */
            chainOut: components["schemas"]["Chain"];
            /** @description Id of `chainIn` */
            chainIdIn: number;
            /** @description Id of `chainOut` */
            chainIdOut: number;
            /** @description Who sends the operation */
            sender: {
                /**
                 * Format: hex
                 * @description The wallet: ERC-4337 `sender`
                 */
                walletAddress: Hex;
                /**
                 * Format: hex
                 * @description The same as `walletAddress`
                 */
                accountAbstraction: Hex;
                /**
                 * Format: hex
                 * @description The owner's address
                 */
                externallyOwnedAccount: Hex;
            };
            /** @description ERC-4337 nonce: a random key in its upper 192 bits, as a decimal string */
            nonce: string;
            /** @description The owner's signature; null while it is not signed */
            signature: Hex | null;
            /** @description Gas limit of the calls */
            callGasLimit: string;
            /** @description Gas limit of the validation */
            verificationGasLimit: string;
            /** @description Gas that the bundler is paid for besides */
            preVerificationGas: string;
            /** @description Highest price of gas, in wei */
            maxFeePerGas: string;
            /** @description Highest tip, in wei */
            maxPriorityFeePerGas: string;
            /** @description The most that gas can cost, in whole coins of the chain */
            maxGasFeeNative: string;
            /** @description The most that gas can cost, in whole tokens of `payFeesToken` */
            maxGasFeeToken: string;
            /**
             * Format: hex
             * @description Token that pays for gas
             */
            payFeesToken: Hex;
            /** @description What deploys the account */
            factory: {
                /** @description Call data of the factory; null for an account that is deployed */
                data: Hex | null;
                /** @description Factory that deploys the account; null for one that is deployed */
                address: Hex | null;
                /** @description Version of the EntryPoint: 0.7 or 0.8 */
                entryPointVersion: string;
            };
            /** @description Paymaster that pays for gas; null where the account pays itself */
            paymaster: Hex | null;
            /** @description Data for the paymaster; null without one */
            paymasterData: Hex | null;
            /** @description Gas limit of the paymaster's last step; null without one */
            paymasterPostOpGasLimit: string | null;
            /** @description Gas limit of the paymaster's validation; null without one */
            paymasterVerificationGasLimit: string | null;
            /**
             * Format: hex
             * @description Call data of the account
             */
            callData: Hex;
            /**
             * Format: hex
             * @description Address of the EntryPoint
             */
            entryPoint: Hex;
            /**
             * Format: date-time
             * @description When the quote expires
             */
            expiresAt: string;
            /** @description Id of the project (UUID) */
            projectId: string;
            /** @description Id of the project's organization (UUID) */
            organizationId: string;
            /** @description Id of the operation (UUID), made of its hash */
            id: string;
            /**
             * Format: hex
             * @description ERC-4337 `userOpHash`. The fields here suffice to compute it again
             */
            userOperationHash: Hex;
            /**
             * Format: hex
             * @description The same as `userOperationHash`
             */
            hash: Hex;
            /** @description Id of its transaction in the wallet's history; null until it is executed */
            transactionId: string | null;
            /** @description What the owner signs, in order. POST /api/v1/crypto/execute takes each signature under the `hash` of its element */
            signData: components["schemas"]["SignData"][];
        };
        /** @description One element that the wallet's owner signs. `method` says how, and `type` says what it is */
        SignData: components["schemas"]["SignMessage"] | components["schemas"]["SignTypedData"] | components["schemas"]["SignAuthorization"] | components["schemas"]["SignPsbt"];
        /** @description A Bitcoin transaction to sign */
        SignPsbt: {
            /**
             * @description What is signed: a Bitcoin transaction
             * @enum {string}
             */
            type: "BITCOIN_TRANSACTION";
            /**
             * @description Sign the PSBT (BIP-174). The signed PSBT, or the whole signed transaction, is the signature (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            method: "sign_psbt";
            /**
             * Format: hex
             * @description What is signed, and the name of the element: its signature is given under it
             */
            hash: Hex;
            /**
             * Format: hex
             * @description The PSBT in hexadecimal
             */
            psbt: Hex;
            /** @description The same in base64 */
            psbtBase64: string;
        };
        /** @description An EIP-7702 authorization to sign */
        SignAuthorization: {
            /**
             * @description What is signed: an EIP-7702 authorization
             * @enum {string}
             */
            type: "AUTHORIZATION";
            /**
             * @description Sign `hash` itself, or the tuple with viem's `signAuthorization(authorization)` (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            method: "eip7702_authorization";
            /**
             * Format: hex
             * @description What is signed, and the name of the element: its signature is given under it
             */
            hash: Hex;
            authorization: components["schemas"]["Authorization"];
        };
        /** @description An EIP-7702 authorization. Present where the wallet's address still needs its code */
        Authorization: {
            /** @description Chain on which the authorization holds */
            chainId: number;
            /**
             * Format: hex
             * @description Contract whose code the owner's address takes on
             */
            address: Hex;
            /** @description The owner's transaction count, which the authorization is bound to */
            nonce: number;
            /**
             * Format: hex
             * @description What the owner signs: keccak256(0x05 ‖ rlp([chainId, address, nonce]))
             */
            hash: Hex;
        };
        /** @description An element that is signed as typed data */
        SignTypedData: {
            /**
             * @description What is signed: a user operation or a limit order
             * @enum {string}
             */
            type: "USER_OPERATION" | "LIMIT_ORDER";
            /**
             * @description Sign `typedData` (EIP-712): viem's `signTypedData(typedData)` (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            method: "eth_signTypedData_v4";
            /**
             * Format: hex
             * @description What is signed, and the name of the element: its signature is given under it
             */
            hash: Hex;
            /** @description ERC-4337 `userOpHash` of the operation, by which it is looked up. What is signed may be another hash: a Safe's is. Null of a limit order */
            userOperationHash: Hex | null;
            typedData: components["schemas"]["TypedData"];
        };
        /** @description EIP-712 typed data */
        TypedData: {
            /** @description EIP-712 domain */
            domain: {
                /** @description Name of the signing domain */
                name?: string;
                /** @description Version of the signing domain */
                version?: string;
                /** @description Id of the chain */
                chainId: number;
                /**
                 * Format: hex
                 * @description Contract that checks the signature
                 */
                verifyingContract: Hex;
            };
            /** @description Every type of the message by its name */
            types: {
                [key: string]: {
                    /** @description Name of the field */
                    name: string;
                    /** @description Solidity type of the field */
                    type: string;
                }[];
            };
            /** @description Name of the message's type */
            primaryType: string;
            /** @description The message. Whole numbers in it are decimal strings, as `eth_signTypedData_v4` takes them */
            message: Record<string, never>;
        };
        /** @description An element that is signed as a message */
        SignMessage: {
            /**
             * @description What is signed: a user operation
             * @enum {string}
             */
            type: "USER_OPERATION";
            /**
             * @description Sign the 32 bytes of `hash` as a message (EIP-191): viem's `signMessage({ message: { raw: hash } })` (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            method: "personal_sign";
            /**
             * Format: hex
             * @description What is signed, and the name of the element: its signature is given under it
             */
            hash: Hex;
            /**
             * Format: hex
             * @description ERC-4337 `userOpHash` of the operation, by which it is looked up. What is signed may be another hash: a Safe's is
             */
            userOperationHash: Hex;
        };
        /** @description Why the operation would revert if it were executed now. Absent where it would not */
        RevertReason: {
            /** @description The reason in words, such as the text of `Error(string)`, a custom error or an AAxx code */
            decoded: string;
            /**
             * Format: hex
             * @description The bytes that the call returned, in hexadecimal
             */
            raw: Hex;
            /** @description The printable part of those bytes */
            utf8: string;
            /** @description The contract in which the failure began. Absent where the simulation does not tell */
            failedAt?: {
                /**
                 * Format: hex
                 * @description Address of the contract
                 */
                address: Hex;
                /** @description Its name, or the symbol of the token that it is; null where it is not known here */
                name: string | null;
            };
        };
        /** @description Operations of this wallet, owner or project have left too much gas unpaid. Wait for the seconds of `Retry-After`, pay gas in the chain's own coin, or talk to the operator. */
        Error_UNPAID_GAS_LIMIT: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 429;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "UNPAID_GAS_LIMIT";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The operation would revert now, or give less than was quoted. Nothing was sent. Ask for a new quote. `revertReason` says why, where it would revert. */
        Error_QUOTE_STALE: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 409;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "QUOTE_STALE";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
            revertReason?: components["schemas"]["RevertReason"];
        };
        /** @description The account's code is not that of its kind any more. Ask the owner what replaced it. The service does not operate an account that it does not know. */
        Error_ACCOUNT_CHANGED: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 409;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "ACCOUNT_CHANGED";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The owner's transaction count has changed since the quote. Ask for a new quote. `authorization` is the tuple that holds now. */
        Error_AUTHORIZATION_STALE: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 409;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "AUTHORIZATION_STALE";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
            /** @description The tuple that holds now */
            authorization?: components["schemas"]["Authorization"];
        };
        /** @description A signature is missing, or is not the owner's. Sign every element of `signData` as its `method` says, with the owner's key. `message` names the signers. */
        Error_INVALID_SIGNATURE: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 400;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "INVALID_SIGNATURE";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The quote was not executed in time. Ask for a new quote and sign that. */
        Error_USER_OPERATION_EXPIRED: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 400;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "USER_OPERATION_EXPIRED";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The accepted operation */
        UserOperationExecution: {
            /**
             * Format: hex
             * @description Hash of the operation
             */
            userOperationHash: Hex;
            /** @description Id of the transaction in the wallet's history (UUID) */
            transactionId: string;
            /**
             * Format: date-time
             * @description When it should be done
             */
            estimatedExecutionTime: string;
        };
        /** @description What the owner signed */
        ExecuteUserOperationRequest: {
            /** @description `userOperationHash` of the quote */
            userOperationHash: string;
            /** @description The owner's 65-byte signature of the element of `signData` with that hash */
            signature: string;
            /** @description The owner's signature of the EIP-7702 authorization: 65 bytes, or what viem's `signAuthorization` gives. Required where `signData` has an `AUTHORIZATION` */
            authorization?: string | components["schemas"]["SignedAuthorization"];
            /** @description Where `signData` has other elements: the owner's 65-byte signatures of those, each under the hash of its element */
            signatures?: {
                [key: string]: string;
            };
        };
        /** @description A signed EIP-7702 authorization, as viem gives it */
        SignedAuthorization: {
            /** @description Of the ECDSA signature */
            r: string;
            /** @description Of the ECDSA signature */
            s: string;
            /**
             * @description Of the ECDSA signature
             * @enum {number}
             */
            yParity: 0 | 1;
            /** @description Ignored */
            v?: string | number;
            /** @description Ignored */
            chainId?: number;
            /** @description Ignored */
            address?: string;
            /** @description Ignored */
            nonce?: number;
        };
        /** @description The project has no such transaction. Use `transactionId` of an execution, or `id` of a transaction in a wallet's history. */
        Error_TRANSACTION_NOT_FOUND: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 404;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "TRANSACTION_NOT_FOUND";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The transaction */
        TransactionAnswer: {
            transaction: components["schemas"]["HistoryTransaction"];
        };
        /** @description The quote was not executed in time. Ask for a new quote and sign that. */
        Error_QUOTE_EXPIRED: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 400;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "QUOTE_EXPIRED";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The project has no such quote. Use `quoteId` of a quote that this project made. Quotes that were not executed are deleted after a time. */
        Error_QUOTE_NOT_FOUND: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 404;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "QUOTE_NOT_FOUND";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The accepted quote */
        Execution: {
            /** @description Id of the quote */
            quoteId: string;
            /** @description Id of the transaction in the wallet's history (UUID) */
            transactionId: string;
            /**
             * Format: date-time
             * @description When it should be done
             */
            estimatedExecutionTime: string;
            /**
             * @description The transaction's status now
             * @enum {string}
             */
            status: "PENDING_SIGNATURE" | "PROCESSING" | "ON_BRIDGE" | "COMPLETED" | "PARTIALLY_COMPLETED" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED";
        };
        /** @description A quote, and what its owner signed */
        ExecuteRequest: {
            /** @description `quoteId` of the quote */
            quoteId: string;
            /**
             * @description What the owner signed: for every element of `signData`, under its `hash`, the 65-byte signature, or the whole signed Bitcoin transaction or PSBT. Nothing where the quote asks for nothing
             * @default {}
             */
            signatures?: {
                [key: string]: string;
            };
        };
        /** @description A wallet's loans and what secures them */
        LendingPositions: {
            /** @description By chain and provider */
            positions: components["schemas"]["LendingPosition"][];
            /** @description Where something may be that is not listed here; empty where all could be read */
            unread: components["schemas"]["UnreadPlace"][];
        };
        /** @description A lending protocol that could not be read on a chain just now */
        UnreadPlace: {
            chain: components["schemas"]["Chain"];
            provider: components["schemas"]["LendingProvider"];
            /** @description Why it could not be read */
            reason: string;
        };
        /** @description Where tokens are lent */
        LendingProvider: {
            /** @description Name of the protocol */
            name: string;
            /**
             * Format: uri-reference
             * @description Its logo, served by this service
             */
            logo: string;
            /**
             * @description Id of the provider, as in requests
             * @enum {string}
             */
            id: "LENDING_PROVIDER_A" | "LENDING_PROVIDER_B";
        };
        /** @description What a wallet has supplied to a market, or owes there */
        LendingPosition: {
            /**
             * @description Supplied, or owed
             * @enum {string}
             */
            positionType: "supply" | "borrow";
            /** @description Name of the protocol */
            protocolGroupName: string;
            /** @description What is supplied or owed */
            token: {
                /**
                 * Format: hex
                 * @description The token
                 */
                address: Hex;
                /** @description Full name */
                name: string;
                /** @description Short name */
                symbol: string;
                /** @description Digits after the point */
                decimals: number;
                /** @description In whole tokens, interest included */
                amount: string;
            };
            /** @description Name of the market */
            contractName: string;
            /** @description Short name of the market */
            contractSymbol: string;
            /** @description In US dollars; null where the token has no known price */
            valueUsd: string | null;
            chain: components["schemas"]["Chain"];
            provider: components["schemas"]["LendingProvider"];
            /** @description Morpho Blue's id of the market; null of Aave V3 */
            marketId: string | null;
            /** @description Whether it secures loans */
            isCollateral: boolean;
            /** @description Of the position that it is part of; null without debt, and where the market's oracle does not answer */
            healthFactor: string | null;
        };
        /** @description Markets in which listed tokens are lent */
        LendingMarkets: {
            /** @description By chain and provider */
            markets: components["schemas"]["LendingMarket"][];
            /** @description Where something may be that is not listed here; empty where all could be read */
            unread: components["schemas"]["UnreadPlace"][];
        };
        /** @description A market of a lending protocol */
        LendingMarket: {
            provider: components["schemas"]["LendingProvider"];
            chain: components["schemas"]["Chain"];
            /** @description Morpho Blue's id of the market; null of Aave V3, which has one market for everything */
            marketId: string | null;
            loanToken: components["schemas"]["Token"];
            /** @description What secures loans; null where this does not */
            collateralToken: components["schemas"]["Token"] | null;
            /** @description How much of the collateral's value can be borrowed */
            ltvPercent: string;
            /** @description From which debt, of the collateral's value, a position can be liquidated */
            liquidationThresholdPercent: string;
            /** @description What lenders earn, in percent per year without compounding */
            supplyAprPercent: string;
            /** @description What borrowers pay, in percent per year without compounding */
            borrowAprPercent: string;
            /** @description Lent by everybody, in whole tokens */
            supplied: string;
            /** @description Borrowed by everybody, in whole tokens */
            borrowed: string;
            /** @description What can be borrowed or withdrawn at once, in whole tokens */
            available: string;
            /** @description The most that may be supplied, in whole tokens; null for no limit */
            supplyCap: string | null;
            /** @description The most that may be borrowed, in whole tokens; null for no limit */
            borrowCap: string | null;
            /** @description Whether it takes supplies now: not frozen, not paused */
            canSupply: boolean;
            /** @description Whether it lends now */
            canBorrow: boolean;
        };
        /** @description A prepared lending operation, to be signed and executed before it expires */
        LendingQuote: {
            /**
             * @description Kind of the operation, and of the transaction that it becomes
             * @enum {string}
             */
            type: "LENDING_SUPPLY" | "LENDING_SUPPLY_BORROW" | "LENDING_BORROW" | "LENDING_REPAY" | "LENDING_WITHDRAW" | "LENDING_REPAY_WITHDRAW";
            /**
             * Format: hex
             * @description Id of the quote, by which it is executed
             */
            quoteId: Hex;
            /**
             * Format: hex
             * @description Hash of the operation, by which it is looked up (ERC-4337 `userOpHash`)
             */
            userOperationHash: Hex;
            revertReason?: components["schemas"]["RevertReason"];
            authorization?: components["schemas"]["Authorization"];
            /**
             * Format: hex
             * @description Wallet that makes the operation
             */
            walletAddress: Hex;
            /** @description Null where the request has no such leg */
            supply: {
                tokenIn: components["schemas"]["LendingPricedToken"];
                /** @description Token that stands for what is supplied; null where the market has none */
                tokenOut: components["schemas"]["LendingToken"] | null;
            } | null;
            /** @description Null where the request has no such leg */
            borrow: {
                token: components["schemas"]["LendingToken"];
            } | null;
            /** @description Null where the request has no such leg */
            repay: {
                token: components["schemas"]["LendingToken"];
            } | null;
            /** @description Null where the request has no such leg */
            withdraw: {
                /** @description Token that stood for what is withdrawn; null where the market has none */
                tokenIn: components["schemas"]["LendingToken"] | null;
                tokenOut: components["schemas"]["LendingToken"];
            } | null;
            provider: components["schemas"]["LendingProvider"];
            /** @description Morpho Blue's id of the market; null where the provider has one market for everything */
            marketId: string | null;
            /**
             * @description The side of the market that is supplied or withdrawn from
             * @enum {string}
             */
            side: "COLLATERAL" | "LOAN";
            /** @description What is taken besides the legs */
            fees: components["schemas"]["LendingFee"][];
            /** @description Found by running the operation on the latest state */
            healthFactor: {
                /** @description Health factor of the position, as the protocol computes it: below 1 it can be liquidated, before the operation; null where there is none */
                before: string | null;
                /** @description Health factor of the position, as the protocol computes it: below 1 it can be liquidated, after the operation; null where there is none, and where the operation can't be executed */
                after: string | null;
            };
            /** @description At which price of the collateral the position can be liquidated */
            liquidationPrice: {
                /** @description The collateral; null without debt, and where its price alone does not decide */
                tokenAddress: string | null;
                /** @description The token that the price is in; null where it is in US dollars */
                inTokenAddress: string | null;
                /** @description Price of one whole collateral token at which the position can be liquidated, all else being equal, before the operation; null where there is none */
                before: string | null;
                /** @description Price of one whole collateral token at which the position can be liquidated, all else being equal, after the operation; null where there is none, and where the operation can't be executed */
                after: string | null;
            };
            /** @description Rates of the market, which the operation itself changes */
            rates: {
                /** @description What the token of `supply` or `withdraw` earns */
                supplyAprPercent: {
                    /** @description Percent per year, without compounding, before the operation; null where there is none */
                    before: string | null;
                    /** @description Percent per year, without compounding, after the operation; null where there is none, and where the operation can't be executed */
                    after: string | null;
                };
                /** @description What the token of `borrow` or `repay` costs */
                borrowAprPercent: {
                    /** @description Percent per year, without compounding, before the operation; null where there is none */
                    before: string | null;
                    /** @description Percent per year, without compounding, after the operation; null where there is none, and where the operation can't be executed */
                    after: string | null;
                };
            };
            /** @description What the owner signs, in order. POST /api/v1/crypto/execute takes each signature under the `hash` of its element */
            signData: components["schemas"]["SignData"][];
            /** @description Every field of the user operations to sign, in the order of `signData`, so that its hashes can be computed again and its calls be read before anything is signed */
            userOperations: components["schemas"]["SignedOperation"][];
            /** @description What to know before signing, in sentences: such as a low health factor */
            warnings: string[];
            /**
             * Format: date-time
             * @description When the operation should be done if it is executed now
             */
            estimatedSettlementTime: string;
            /**
             * Format: date-time
             * @description When the quote expires
             */
            expiresAt: string;
            preview: components["schemas"]["Preview"];
            metadata: components["schemas"]["Metadata"];
        };
        /** @description What the signature brings about, by a simulation */
        Preview: {
            /** @description What the wallet calls, in order */
            calls: {
                /**
                 * Format: hex
                 * @description Contract that is called
                 */
                to: Hex;
                /** @description Coin that goes with the call, in whole coins */
                value: string;
                /**
                 * Format: hex
                 * @description Call data in hexadecimal
                 */
                data: Hex;
                /** @description The call in words */
                summary: string;
                /** @description Name of the contract, or symbol of the token that it is; null where it is not known here */
                contract: string | null;
                /** @description Name of the function; null where it is not known here, and for a plain transfer of coin */
                function: string | null;
                /** @description The decoded arguments, in order */
                arguments: {
                    /** @description Name of the argument */
                    name: string;
                    /** @description Its type in Solidity */
                    type: string;
                    /** @description Its value: whole numbers in base units, lists and structures as JSON */
                    value: string;
                }[];
                /** @description What a router does inside of the call, in order; empty for other calls */
                steps: {
                    /** @description Name of the function or of the router's command; its code where it is not known */
                    function: string;
                    /** @description The decoded arguments, in order */
                    arguments: {
                        /** @description Name of the argument */
                        name: string;
                        /** @description Its type in Solidity */
                        type: string;
                        /** @description Its value: whole numbers in base units, lists and structures as JSON */
                        value: string;
                    }[];
                }[];
            }[];
            /** @description How the wallet's balances change by the simulation, for the tokens that the request names. Gas is in them: where a token pays, with `gasFeeTokenAmount`; where the wallet pays in coin, with all that the EntryPoint takes in advance. Of that it keeps what gas does not use, as the wallet's deposit for its next operations */
            assetChanges: {
                /**
                 * Format: hex
                 * @description Token whose balance changes
                 */
                token: Hex;
                /** @description By how much, in whole tokens; with a minus where the wallet has less afterwards */
                amount: string;
            }[];
            /** @description What others may still take of the wallet's tokens once it is executed, by the simulation: of the allowances that it gives, those that it does not use up. Where gas is paid with a token, the paymaster's, which serves later operations too */
            allowances: {
                /**
                 * Format: hex
                 * @description Token that may be taken
                 */
                token: Hex;
                /** @description Its short name; null of a token that the request does not name */
                symbol: string | null;
                /**
                 * Format: hex
                 * @description Address that may take it
                 */
                spender: Hex;
                /** @description Name of the contract that it is, or Paymaster; null where it is not known here */
                spenderName: string | null;
                /** @description How much, in whole tokens, or in base units of a token that the request does not name; null where there is no limit */
                amount: string | null;
            }[];
        };
        /** @description A user operation as it is signed, without its signature */
        SignedOperation: {
            /**
             * Format: hex
             * @description ERC-4337 `userOpHash` of these fields
             */
            userOperationHash: Hex;
            /** @description Id of the chain */
            chainId: number;
            /**
             * Format: hex
             * @description Address of the EntryPoint
             */
            entryPoint: Hex;
            /** @description Its version: 0.7 or 0.8 */
            entryPointVersion: string;
            /**
             * Format: hex
             * @description The wallet
             */
            sender: Hex;
            /** @description A random key in its upper 192 bits, as a decimal string */
            nonce: string;
            /** @description Factory that deploys the account, or 0x7702 where it is an EIP-7702 delegation; null for an account that is deployed */
            factory: Hex | null;
            /** @description Call data of the factory; null without one */
            factoryData: Hex | null;
            /**
             * Format: hex
             * @description Call data of the account
             */
            callData: Hex;
            /** @description Gas limit of the calls */
            callGasLimit: string;
            /** @description Gas limit of the validation */
            verificationGasLimit: string;
            /** @description Gas that the bundler is paid for besides */
            preVerificationGas: string;
            /** @description Highest price of gas, in wei */
            maxFeePerGas: string;
            /** @description Highest tip, in wei */
            maxPriorityFeePerGas: string;
            /** @description Paymaster that pays for gas; null where the account pays itself */
            paymaster: Hex | null;
            /** @description Gas limit of the paymaster's validation; null without one */
            paymasterVerificationGasLimit: string | null;
            /** @description Gas limit of the paymaster's last step; null without one */
            paymasterPostOpGasLimit: string | null;
            /** @description Data for the paymaster; null without one */
            paymasterData: Hex | null;
            /** @description Unix seconds of the last block that may have it, where the owner signs this: a Safe's does. Null for other accounts */
            validUntil: number | null;
        };
        /** @description The most that is taken besides the legs */
        LendingFee: {
            /**
             * @description `GAS`: the network's fee
             * @enum {string}
             */
            type: "GAS";
            amount: components["schemas"]["LendingAmount"];
            /**
             * Format: hex
             * @description Token that pays
             */
            tokenAddress: Hex;
            /** @description The most that gas can cost in whole coins of the chain */
            nativeAmount: string;
            /** @description Who takes it: the paymaster; null where the wallet pays in coin */
            recipient: string | null;
            /** @description Percentage of the amount; 0 of gas */
            percent: number;
        };
        /** @description An amount and its value when it was quoted */
        LendingAmount: {
            /** @description In whole tokens */
            value: string;
            /** @description In US dollars; null where the token has no known price */
            usd: string | null;
        };
        /** @description A token of a leg */
        LendingToken: {
            /**
             * Format: hex
             * @description The token
             */
            tokenAddress: Hex;
            /** @description Id of the chain */
            chainId: number;
            amount: components["schemas"]["LendingAmount"];
        };
        /** @description The token that is supplied */
        LendingPricedToken: {
            /**
             * Format: hex
             * @description The token
             */
            tokenAddress: Hex;
            /** @description Id of the chain */
            chainId: number;
            amount: components["schemas"]["LendingAmount"];
            /** @description US dollars for one whole token; null where there is no known price */
            price: string | null;
        };
        /** @description One of: `supply`; `supply` and `borrow`; `borrow`; `repay`; `withdraw`; `repay` and `withdraw` */
        LendingRequest: {
            /** @description Registered wallet that makes the operation */
            walletAddress: string;
            /**
             * @description `LENDING_PROVIDER_A` is Aave V3, `LENDING_PROVIDER_B` is Morpho Blue
             * @enum {string}
             */
            provider: "LENDING_PROVIDER_A" | "LENDING_PROVIDER_B";
            supply?: components["schemas"]["LendingSupplyLeg"];
            borrow?: components["schemas"]["LendingBorrowLeg"];
            repay?: components["schemas"]["LendingRepayLeg"];
            withdraw?: components["schemas"]["LendingWithdrawLeg"];
            gas: components["schemas"]["LendingGas"];
            /** @description Whether a health factor below the service's limit is accepted. Without it the answer is 400 */
            acceptLowHealthFactor?: boolean;
            /**
             * @description Your own key/value pairs, at most 50. They are echoed on the resource and can filter the history
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description How gas is paid */
        LendingGas: {
            /**
             * @description Where the gas fee comes from. `ADD_TO_AMOUNT`: the wallet spends the amount and the gas fee. `DEDUCT_FROM_AMOUNT`: it spends the amount and no more, and the most that gas can cost is taken out of it first
             * @enum {string}
             */
            paymentMethod: "ADD_TO_AMOUNT" | "DEDUCT_FROM_AMOUNT";
            /** @description Token of the chain that pays for gas */
            tokenAddress: string;
        };
        /** @description What to withdraw. With `repay` it is the collateral */
        LendingWithdrawLeg: {
            /**
             * @description Id of an EVM chain: 42161 Arbitrum One, 43114 Avalanche, 8453 Base, 56 BNB Smart Chain, 1 Ethereum, 100 Gnosis, 10 OP Mainnet, 137 Polygon, 196 X Layer Mainnet
             * @enum {number}
             */
            chainId: 42161 | 43114 | 8453 | 56 | 1 | 100 | 10 | 137 | 196;
            /** @description Token of the leg */
            tokenAddress: string;
            /** @description Morpho Blue's id of the market, where the tokens alone leave several to choose from */
            marketId?: string;
            /**
             * @description Of a Morpho Blue market: `COLLATERAL` secures a loan and earns nothing, `LOAN` is lent to others and earns. Left out: `COLLATERAL` where a market takes the token as such, else `LOAN`
             * @enum {string}
             */
            side?: "COLLATERAL" | "LOAN";
            /** @description Amount in whole tokens, or `MAX` for everything there is: no dust stays */
            amount: string | "MAX";
        };
        /** @description What to repay */
        LendingRepayLeg: {
            /**
             * @description Id of an EVM chain: 42161 Arbitrum One, 43114 Avalanche, 8453 Base, 56 BNB Smart Chain, 1 Ethereum, 100 Gnosis, 10 OP Mainnet, 137 Polygon, 196 X Layer Mainnet
             * @enum {number}
             */
            chainId: 42161 | 43114 | 8453 | 56 | 1 | 100 | 10 | 137 | 196;
            /** @description Token of the leg */
            tokenAddress: string;
            /** @description Morpho Blue's id of the market, where the tokens alone leave several to choose from */
            marketId?: string;
            /** @description Amount in whole tokens, or `MAX` for everything there is: no dust stays */
            amount: string | "MAX";
        };
        /** @description What to borrow */
        LendingBorrowLeg: {
            /**
             * @description Id of an EVM chain: 42161 Arbitrum One, 43114 Avalanche, 8453 Base, 56 BNB Smart Chain, 1 Ethereum, 100 Gnosis, 10 OP Mainnet, 137 Polygon, 196 X Layer Mainnet
             * @enum {number}
             */
            chainId: 42161 | 43114 | 8453 | 56 | 1 | 100 | 10 | 137 | 196;
            /** @description Token of the leg */
            tokenAddress: string;
            /** @description Morpho Blue's id of the market, where the tokens alone leave several to choose from */
            marketId?: string;
            /** @description Amount in whole tokens */
            amount: string;
        };
        /** @description What to supply. With `borrow` it is the collateral */
        LendingSupplyLeg: {
            /**
             * @description Id of an EVM chain: 42161 Arbitrum One, 43114 Avalanche, 8453 Base, 56 BNB Smart Chain, 1 Ethereum, 100 Gnosis, 10 OP Mainnet, 137 Polygon, 196 X Layer Mainnet
             * @enum {number}
             */
            chainId: 42161 | 43114 | 8453 | 56 | 1 | 100 | 10 | 137 | 196;
            /** @description Token of the leg */
            tokenAddress: string;
            /** @description Morpho Blue's id of the market, where the tokens alone leave several to choose from */
            marketId?: string;
            /**
             * @description Of a Morpho Blue market: `COLLATERAL` secures a loan and earns nothing, `LOAN` is lent to others and earns. Left out: `COLLATERAL` where a market takes the token as such, else `LOAN`
             * @enum {string}
             */
            side?: "COLLATERAL" | "LOAN";
            /** @description Amount in whole tokens */
            amount: string;
        };
        /** @description A chain could not be read. Try again shortly. */
        Error_BLOCKCHAIN_ERROR: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 500;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "BLOCKCHAIN_ERROR";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description A token of a real-world asset needs a verified individual. Give `individualId` of an individual whose verification is complete. */
        Error_INDIVIDUAL_VERIFICATION_REQUIRED: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 400;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "INDIVIDUAL_VERIFICATION_REQUIRED";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description The prepared rebalance */
        LiquidityRebalanceQuote: {
            operation: components["schemas"]["LiquidityRebalance"];
        };
        /** @description A prepared move of a position to another range */
        LiquidityRebalance: {
            /**
             * @description Kind of the quote, and of the transaction that it becomes
             * @enum {string}
             */
            type: "LIQUIDITY_REBALANCE";
            /**
             * Format: hex
             * @description Hash of the user operation, by which it is looked up (ERC-4337 `userOpHash`)
             */
            userOperationHash: Hex;
            /**
             * Format: hex
             * @description Id of the quote, by which it is executed
             */
            quoteId: Hex;
            revertReason?: components["schemas"]["RevertReason"];
            authorization?: components["schemas"]["Authorization"];
            /** @description Every fee that is taken */
            fees: components["schemas"]["Fee"][];
            /** @description What the owner signs, in order. POST /api/v1/crypto/execute takes each signature under the `hash` of its element */
            signData: components["schemas"]["SignData"][];
            /** @description Every field of the user operations to sign, in the order of `signData`, so that its hashes can be computed again and its calls be read before anything is signed */
            userOperations: components["schemas"]["SignedOperation"][];
            /** @description What to know besides the figures before signing, in sentences: such as a pool whose price is far from the one that values and gas are computed with. Empty where there is nothing of the kind */
            warnings: string[];
            /**
             * Format: date-time
             * @description When the operation should be done if it is executed now
             */
            estimatedExecutionTime: string;
            /**
             * @description Where the position is: Uniswap V3
             * @enum {string}
             */
            liquidityProvider: "LIQUIDITY_PROVIDER_V3";
            /** @description Wallet that owns the position */
            walletAddress: string;
            /** @description Id of the chain */
            chainId: number;
            /** @description Number of the position's NFT */
            tokenId: string;
            /** @description Percent that goes to the project's treasury */
            transactionFeePercent: number;
            /** @description Percent by which prices may move before it is executed */
            slippage: number;
            /** @description The extra fee of the request, which goes to an address of its choice; null for none */
            extraFee: components["schemas"]["ExtraFee"] | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * Format: hex
             * @description Contract of the position's NFT
             */
            nftAddress: Hex;
            /**
             * Format: date-time
             * @description When the quote expires
             */
            expiresAt: string;
            /**
             * Format: hex
             * @description Token that pays for gas
             */
            payGasFeeToken: Hex;
            estimatedGasFees: components["schemas"]["GasEstimate"];
            preview: components["schemas"]["Preview"];
            /** @description Address that receives the NFT of the new position */
            toAddress: string;
            /** @description The range that was asked for */
            newPosition: {
                /** @description Lower end of the asked range */
                minPrice: number;
                /** @description Upper end of the asked range */
                maxPrice: number;
            };
            /** @description Nothing comes out of a rebalance */
            amountOut: null;
            /** @description Nothing comes out of a rebalance */
            minAmountOut: null;
            /** @description What the old position gives for its liquidity */
            removed: {
                /** @description In whole tokens of `token0` */
                amount0: string;
                /** @description In whole tokens of `token1` */
                amount1: string;
            };
            /** @description The same with the fees that it has earned */
            collected: {
                /** @description In whole tokens of `token0` */
                amount0: string;
                /** @description In whole tokens of `token1` */
                amount1: string;
            };
            /** @description `amount0` and `amount1`, with a comma between them */
            amounts: string;
            /**
             * Format: hex
             * @description Token whose price is given, in the order of the request; for an existing position the pool's token0
             */
            token0: Hex;
            /**
             * Format: hex
             * @description Token that the price is given in
             */
            token1: Hex;
            /** @description What the pool takes, in whole tokens of `token0` */
            amount0: string;
            /** @description What the pool takes, in whole tokens of `token1` */
            amount1: string;
            /** @description Liquidity that is added, as the pool counts it */
            liquidity: string;
            /** @description What the swaps leave unused, by rounding. It goes back to the wallet in the same operation */
            leftovers: {
                /** @description In whole tokens of `token0` */
                amount0: string;
                /** @description In whole tokens of `token1` */
                amount1: string;
            };
            /** @description Lower tick of the position, in the pool's own order of its tokens */
            tickLower: number;
            /** @description Upper tick of the position */
            tickUpper: number;
            /** @description The range of the position, to its ticks: the asked range lies inside */
            range: {
                /** @description Price at the lower end, in whole tokens of `token1` for one whole `token0` */
                minPrice: string | null;
                /** @description Price at the upper end */
                maxPrice: string | null;
            };
            /**
             * Format: hex
             * @description Address of the pool
             */
            pool: Hex;
            /** @description Its fee tier in percent */
            poolFeePercent: string;
            /** @description Price impact in percent, without fees: the largest among the swaps of the operation */
            priceImpactPercent: string;
        };
        /** @description What the operation's gas can cost, and what it should cost */
        GasEstimate: {
            /**
             * Format: hex
             * @description Token that pays for gas
             */
            payGasFeeToken: Hex;
            /** @description The most that gas can cost, in whole tokens of `payGasFeeToken`. `DEDUCT_FROM_AMOUNT` takes this out of the amount. The wallet needs it on top of what the operation spends, and gets back what gas does not use */
            maxGasFeeToken: string;
            /** @description What gas cost in the simulation, in whole tokens of `payGasFeeToken`: the amount to expect. The asset changes of `preview` have exactly this for gas */
            gasFeeTokenAmount: string;
            /** @description `gasFeeTokenAmount` in dollars; null where the token has no known price */
            gasFeeTokenAmountUSD: string | null;
            /** @description The most that gas can cost, in whole coins of the chain, also where a token pays for it */
            maxGasFeeNative: string;
        };
        /** @description A fee that the request adds, for an address of its choice */
        ExtraFee: {
            /** @description Percent of the amount before any other fee: 1 is 1 %. From 0 to 99.99 */
            percentage: number;
            /** @description Address that receives the fee */
            toAddress: string;
        };
        /** @description A position to put into another range */
        RebalanceLiquidityRequest: {
            /**
             * @description Where the position is: `LIQUIDITY_PROVIDER_V3` is Uniswap V3
             * @default LIQUIDITY_PROVIDER_V3
             * @enum {string}
             */
            liquidityProvider?: "LIQUIDITY_PROVIDER_V3";
            /** @description Registered wallet that makes the operation, and owns the position */
            walletAddress: string;
            /**
             * @description Id of an EVM chain: 42161 Arbitrum One, 43114 Avalanche, 8453 Base, 56 BNB Smart Chain, 1 Ethereum, 100 Gnosis, 10 OP Mainnet, 137 Polygon, 196 X Layer Mainnet
             * @enum {number}
             */
            chainId: 42161 | 43114 | 8453 | 56 | 1 | 100 | 10 | 137 | 196;
            /**
             * @description Percent by which prices may move before it is executed: 0.5 is 0.5 %, 0 is not at all. Beyond that it reverts
             * @default 0.5
             */
            slippage?: number;
            /**
             * @description Percent of the amount that goes to the project's treasury: 0.3 is 0.3 %. Nothing is taken where the project has none
             * @default 0
             */
            transactionFeePercent?: number;
            extraFee?: components["schemas"]["ExtraFee"];
            /**
             * @description Whether it is prepared even where its price impact, or the pool's distance from the market, is above the operator's limit
             * @default false
             */
            acceptPriceImpact?: boolean;
            /**
             * @description Your own key/value pairs, at most 50. They are echoed on the resource and can filter the history
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description Address that receives the NFT of the new position */
            toAddress: string;
            /** @description Number of the position NFT */
            tokenId: string;
            /** @description The range of the new position */
            newPosition: {
                /** @description Lower end of the range: whole tokens of token1 for one whole token0. 0 is the lowest there is */
                minPrice: number;
                /** @description Upper end of the range. Any price above the highest that a pool can have is that one */
                maxPrice: number;
            };
            /**
             * @description Token of the chain that pays for gas, out of the wallet's balance; the chain's own coin when left out
             * @default 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee
             */
            payGasFeeToken?: string;
        };
        /** @description The prepared withdrawal */
        LiquidityWithdrawQuote: {
            operation: components["schemas"]["LiquidityWithdrawal"];
        };
        /** @description A prepared withdrawal from a position */
        LiquidityWithdrawal: {
            /**
             * @description Kind of the quote, and of the transaction that it becomes
             * @enum {string}
             */
            type: "LIQUIDITY_WITHDRAW";
            /**
             * Format: hex
             * @description Hash of the user operation, by which it is looked up (ERC-4337 `userOpHash`)
             */
            userOperationHash: Hex;
            /**
             * Format: hex
             * @description Id of the quote, by which it is executed
             */
            quoteId: Hex;
            revertReason?: components["schemas"]["RevertReason"];
            authorization?: components["schemas"]["Authorization"];
            /** @description Every fee that is taken */
            fees: components["schemas"]["Fee"][];
            /** @description What the owner signs, in order. POST /api/v1/crypto/execute takes each signature under the `hash` of its element */
            signData: components["schemas"]["SignData"][];
            /** @description Every field of the user operations to sign, in the order of `signData`, so that its hashes can be computed again and its calls be read before anything is signed */
            userOperations: components["schemas"]["SignedOperation"][];
            /** @description What to know besides the figures before signing, in sentences: such as a pool whose price is far from the one that values and gas are computed with. Empty where there is nothing of the kind */
            warnings: string[];
            /**
             * Format: date-time
             * @description When the operation should be done if it is executed now
             */
            estimatedExecutionTime: string;
            /**
             * @description Where the position is: Uniswap V3
             * @enum {string}
             */
            liquidityProvider: "LIQUIDITY_PROVIDER_V3";
            /** @description Wallet that owns the position */
            walletAddress: string;
            /** @description Id of the chain */
            chainId: number;
            /** @description Number of the position's NFT */
            tokenId: string;
            /** @description Percent that goes to the project's treasury */
            transactionFeePercent: number;
            /** @description Percent by which prices may move before it is executed */
            slippage: number;
            /** @description The extra fee of the request, which goes to an address of its choice; null for none */
            extraFee: components["schemas"]["ExtraFee"] | null;
            metadata: components["schemas"]["Metadata"];
            /**
             * Format: hex
             * @description Contract of the position's NFT
             */
            nftAddress: Hex;
            /**
             * Format: date-time
             * @description When the quote expires
             */
            expiresAt: string;
            /**
             * Format: hex
             * @description Token that pays for gas
             */
            payGasFeeToken: Hex;
            estimatedGasFees: components["schemas"]["GasEstimate"];
            preview: components["schemas"]["Preview"];
            /** @description Address that receives `tokenOut` */
            toAddress: string;
            /**
             * Format: hex
             * @description Token that is received
             */
            tokenOut: Hex;
            /** @description Percent of the liquidity that is taken out */
            percentage: number;
            /** @description What `toAddress` gets at the quoted block, in whole tokens of `tokenOut`, after all fees */
            amountOut: string;
            /** @description Least that it gets: with less the operation reverts */
            minAmountOut: string;
            /**
             * Format: hex
             * @description The pool's token0
             */
            token0: Hex;
            /**
             * Format: hex
             * @description The pool's token1
             */
            token1: Hex;
            /** @description What the pool gives for the liquidity */
            removed: {
                /** @description In whole tokens of `token0` */
                amount0: string;
                /** @description In whole tokens of `token1` */
                amount1: string;
            };
            /** @description The same with the fees that the position has earned: all that is swapped */
            collected: {
                /** @description In whole tokens of `token0` */
                amount0: string;
                /** @description In whole tokens of `token1` */
                amount1: string;
            };
            /** @description Liquidity that is taken out, as the pool counts it */
            liquidity: string;
            /** @description Whether the NFT is burned, because nothing is left in it */
            burned: boolean;
            /** @description Price impact in percent, without fees: the largest among the swaps of the operation */
            priceImpactPercent: string;
        };
        /** @description Liquidity to take out of a position */
        WithdrawLiquidityRequest: {
            /**
             * @description Where the position is: `LIQUIDITY_PROVIDER_V3` is Uniswap V3
             * @default LIQUIDITY_PROVIDER_V3
             * @enum {string}
             */
            liquidityProvider?: "LIQUIDITY_PROVIDER_V3";
            /** @description Registered wallet that makes the operation, and owns the position */
            walletAddress: string;
            /**
             * @description Id of an EVM chain: 42161 Arbitrum One, 43114 Avalanche, 8453 Base, 56 BNB Smart Chain, 1 Ethereum, 100 Gnosis, 10 OP Mainnet, 137 Polygon, 196 X Layer Mainnet
             * @enum {number}
             */
            chainId: 42161 | 43114 | 8453 | 56 | 1 | 100 | 10 | 137 | 196;
            /**
             * @description Percent by which prices may move before it is executed: 0.5 is 0.5 %, 0 is not at all. Beyond that it reverts
             * @default 0.5
             */
            slippage?: number;
            /**
             * @description Percent of the amount that goes to the project's treasury: 0.3 is 0.3 %. Nothing is taken where the project has none
             * @default 0
             */
            transactionFeePercent?: number;
            extraFee?: components["schemas"]["ExtraFee"];
            /**
             * @description Whether it is prepared even where its price impact, or the pool's distance from the market, is above the operator's limit
             * @default false
             */
            acceptPriceImpact?: boolean;
            /**
             * @description Your own key/value pairs, at most 50. They are echoed on the resource and can filter the history
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description Address that receives `tokenOut` */
            toAddress: string;
            /** @description Number of the position NFT */
            tokenId: string;
            /** @description Token to receive; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the chain's own coin */
            tokenOut: string;
            /** @description Percent of the liquidity to take out: 100 is all of it. Fees are always collected whole */
            percentage: number;
            /** @description Token of the chain that pays for gas, out of the wallet's balance */
            payGasFeeToken: string;
        };
        /** @description The prepared addition */
        LiquidityAddQuote: {
            operation: components["schemas"]["LiquidityAddition"];
        };
        /** @description A prepared addition to a position */
        LiquidityAddition: {
            /**
             * @description Kind of the quote, and of the transaction that it becomes
             * @enum {string}
             */
            type: "LIQUIDITY_ADD";
            /**
             * Format: hex
             * @description Hash of the user operation, by which it is looked up (ERC-4337 `userOpHash`)
             */
            userOperationHash: Hex;
            /**
             * Format: hex
             * @description Id of the quote, by which it is executed
             */
            quoteId: Hex;
            revertReason?: components["schemas"]["RevertReason"];
            authorization?: components["schemas"]["Authorization"];
            /** @description Every fee that is taken */
            fees: components["schemas"]["Fee"][];
            /** @description What the owner signs, in order. POST /api/v1/crypto/execute takes each signature under the `hash` of its element */
            signData: components["schemas"]["SignData"][];
            /** @description Every field of the user operations to sign, in the order of `signData`, so that its hashes can be computed again and its calls be read before anything is signed */
            userOperations: components["schemas"]["SignedOperation"][];
            /** @description What to know besides the figures before signing, in sentences: such as a pool whose price is far from the one that values and gas are computed with. Empty where there is nothing of the kind */
            warnings: string[];
            /**
             * Format: date-time
             * @description When the operation should be done if it is executed now
             */
            estimatedExecutionTime: string;
            metadata: components["schemas"]["Metadata"];
            tokenIn: components["schemas"]["Token"];
            /** @description Amount that is put in, in whole tokens of `tokenIn`, as asked for */
            amountIn: string;
            /** @description What of it becomes `token0`, in whole tokens of `tokenIn`, after fees */
            tokenInAmountForToken0: string;
            /** @description What of it becomes `token1` */
            tokenInAmountForToken1: string;
            /** @description Wallet that provides the liquidity */
            walletAddress: string;
            /** @description Address that owns the position */
            toAddress: string;
            /**
             * Format: date-time
             * @description When the quote expires
             */
            expiresAt: string;
            /** @description `amount0` and `amount1`, with a comma between them */
            amounts: string;
            estimatedGasFees: components["schemas"]["GasEstimate"];
            /** @description Id of the chain */
            chain: number;
            /**
             * @description Where the position is: Uniswap V3
             * @enum {string}
             */
            liquidityProvider: "LIQUIDITY_PROVIDER_V3";
            /**
             * Format: hex
             * @description Contract of the position's NFT
             */
            nftAddress: Hex;
            /** @description Number of the position's NFT; null for a new one, whose number its transaction tells */
            tokenId: string | null;
            /** @description Yearly return in percent, by the fees of the last seven days; null where they are not known */
            estimatedApr: string | null;
            /** @description Whether the operation makes the pool, because there is none with this fee */
            poolCreated: boolean;
            /** @description Percent by which prices may move before it is executed */
            slippage: number;
            /**
             * Format: hex
             * @description Token whose price is given, in the order of the request; for an existing position the pool's token0
             */
            token0: Hex;
            /**
             * Format: hex
             * @description Token that the price is given in
             */
            token1: Hex;
            /** @description What the pool takes, in whole tokens of `token0` */
            amount0: string;
            /** @description What the pool takes, in whole tokens of `token1` */
            amount1: string;
            /** @description Liquidity that is added, as the pool counts it */
            liquidity: string;
            /** @description What the swaps leave unused, by rounding. It goes back to the wallet in the same operation */
            leftovers: {
                /** @description In whole tokens of `token0` */
                amount0: string;
                /** @description In whole tokens of `token1` */
                amount1: string;
            };
            /** @description Lower tick of the position, in the pool's own order of its tokens */
            tickLower: number;
            /** @description Upper tick of the position */
            tickUpper: number;
            /** @description The range of the position, to its ticks: the asked range lies inside */
            range: {
                /** @description Price at the lower end, in whole tokens of `token1` for one whole `token0` */
                minPrice: string | null;
                /** @description Price at the upper end */
                maxPrice: string | null;
            };
            /**
             * Format: hex
             * @description Address of the pool
             */
            pool: Hex;
            /** @description Its fee tier in percent */
            poolFeePercent: string;
            /** @description Price impact in percent, without fees: the largest among the swaps of the operation */
            priceImpactPercent: string;
            preview: components["schemas"]["Preview"];
        };
        /** @description Liquidity to add to a position */
        AddLiquidityRequest: {
            /**
             * @description Where the position is: `LIQUIDITY_PROVIDER_V3` is Uniswap V3
             * @default LIQUIDITY_PROVIDER_V3
             * @enum {string}
             */
            liquidityProvider?: "LIQUIDITY_PROVIDER_V3";
            /** @description Registered wallet that makes the operation, and owns the position */
            walletAddress: string;
            /**
             * @description Id of an EVM chain: 42161 Arbitrum One, 43114 Avalanche, 8453 Base, 56 BNB Smart Chain, 1 Ethereum, 100 Gnosis, 10 OP Mainnet, 137 Polygon, 196 X Layer Mainnet
             * @enum {number}
             */
            chainId: 42161 | 43114 | 8453 | 56 | 1 | 100 | 10 | 137 | 196;
            /**
             * @description Percent by which prices may move before it is executed: 0.5 is 0.5 %, 0 is not at all. Beyond that it reverts
             * @default 0.5
             */
            slippage?: number;
            /**
             * @description Percent of the amount that goes to the project's treasury: 0.3 is 0.3 %. Nothing is taken where the project has none
             * @default 0
             */
            transactionFeePercent?: number;
            extraFee?: components["schemas"]["ExtraFee"];
            /**
             * @description Whether it is prepared even where its price impact, or the pool's distance from the market, is above the operator's limit
             * @default false
             */
            acceptPriceImpact?: boolean;
            /**
             * @description Your own key/value pairs, at most 50. They are echoed on the resource and can filter the history
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description Token of the chain that pays for gas */
            payGasFeeToken: string;
            /**
             * @description Where the gas fee comes from. `ADD_TO_AMOUNT`: the wallet spends the amount and the gas fee. `DEDUCT_FROM_AMOUNT`: it spends the amount and no more, and the most that gas can cost is taken out of it first
             * @enum {string}
             */
            gasFeePaymentMethod: "ADD_TO_AMOUNT" | "DEDUCT_FROM_AMOUNT";
            /** @description Token that is put in; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the chain's own coin */
            tokenIn: string;
            /** @description Amount to put in, in whole tokens of `tokenIn` */
            amountIn: string;
            /** @description Number of the position NFT */
            tokenId: string;
            /** @description Lower end of the range: whole tokens of token1 for one whole token0. 0 is the lowest there is */
            minPrice: number;
            /** @description Upper end of the range. Any price above the highest that a pool can have is that one */
            maxPrice: number;
        };
        /** @description The prepared new position */
        LiquidityCreateQuote: {
            operation: components["schemas"]["LiquidityCreation"];
        };
        /** @description A prepared new position */
        LiquidityCreation: {
            /**
             * @description Kind of the quote, and of the transaction that it becomes
             * @enum {string}
             */
            type: "LIQUIDITY_CREATE";
            /**
             * Format: hex
             * @description Hash of the user operation, by which it is looked up (ERC-4337 `userOpHash`)
             */
            userOperationHash: Hex;
            /**
             * Format: hex
             * @description Id of the quote, by which it is executed
             */
            quoteId: Hex;
            revertReason?: components["schemas"]["RevertReason"];
            authorization?: components["schemas"]["Authorization"];
            /** @description Every fee that is taken */
            fees: components["schemas"]["Fee"][];
            /** @description What the owner signs, in order. POST /api/v1/crypto/execute takes each signature under the `hash` of its element */
            signData: components["schemas"]["SignData"][];
            /** @description Every field of the user operations to sign, in the order of `signData`, so that its hashes can be computed again and its calls be read before anything is signed */
            userOperations: components["schemas"]["SignedOperation"][];
            /** @description What to know besides the figures before signing, in sentences: such as a pool whose price is far from the one that values and gas are computed with. Empty where there is nothing of the kind */
            warnings: string[];
            /**
             * Format: date-time
             * @description When the operation should be done if it is executed now
             */
            estimatedExecutionTime: string;
            metadata: components["schemas"]["Metadata"];
            tokenIn: components["schemas"]["Token"];
            /** @description Amount that is put in, in whole tokens of `tokenIn`, as asked for */
            amountIn: string;
            /** @description What of it becomes `token0`, in whole tokens of `tokenIn`, after fees */
            tokenInAmountForToken0: string;
            /** @description What of it becomes `token1` */
            tokenInAmountForToken1: string;
            /** @description Wallet that provides the liquidity */
            walletAddress: string;
            /** @description Address that owns the position */
            toAddress: string;
            /**
             * Format: date-time
             * @description When the quote expires
             */
            expiresAt: string;
            /** @description `amount0` and `amount1`, with a comma between them */
            amounts: string;
            estimatedGasFees: components["schemas"]["GasEstimate"];
            /** @description Id of the chain */
            chain: number;
            /**
             * @description Where the position is: Uniswap V3
             * @enum {string}
             */
            liquidityProvider: "LIQUIDITY_PROVIDER_V3";
            /**
             * Format: hex
             * @description Contract of the position's NFT
             */
            nftAddress: Hex;
            /** @description Number of the position's NFT; null for a new one, whose number its transaction tells */
            tokenId: string | null;
            /** @description Yearly return in percent, by the fees of the last seven days; null where they are not known */
            estimatedApr: string | null;
            /** @description Whether the operation makes the pool, because there is none with this fee */
            poolCreated: boolean;
            /** @description Percent by which prices may move before it is executed */
            slippage: number;
            /**
             * Format: hex
             * @description Token whose price is given, in the order of the request; for an existing position the pool's token0
             */
            token0: Hex;
            /**
             * Format: hex
             * @description Token that the price is given in
             */
            token1: Hex;
            /** @description What the pool takes, in whole tokens of `token0` */
            amount0: string;
            /** @description What the pool takes, in whole tokens of `token1` */
            amount1: string;
            /** @description Liquidity that is added, as the pool counts it */
            liquidity: string;
            /** @description What the swaps leave unused, by rounding. It goes back to the wallet in the same operation */
            leftovers: {
                /** @description In whole tokens of `token0` */
                amount0: string;
                /** @description In whole tokens of `token1` */
                amount1: string;
            };
            /** @description Lower tick of the position, in the pool's own order of its tokens */
            tickLower: number;
            /** @description Upper tick of the position */
            tickUpper: number;
            /** @description The range of the position, to its ticks: the asked range lies inside */
            range: {
                /** @description Price at the lower end, in whole tokens of `token1` for one whole `token0` */
                minPrice: string | null;
                /** @description Price at the upper end */
                maxPrice: string | null;
            };
            /**
             * Format: hex
             * @description Address of the pool
             */
            pool: Hex;
            /** @description Its fee tier in percent */
            poolFeePercent: string;
            /** @description Price impact in percent, without fees: the largest among the swaps of the operation */
            priceImpactPercent: string;
            preview: components["schemas"]["Preview"];
        };
        /** @description A position to create */
        CreateLiquidityRequest: {
            /**
             * @description Where the position is: `LIQUIDITY_PROVIDER_V3` is Uniswap V3
             * @default LIQUIDITY_PROVIDER_V3
             * @enum {string}
             */
            liquidityProvider?: "LIQUIDITY_PROVIDER_V3";
            /** @description Registered wallet that makes the operation, and owns the position */
            walletAddress: string;
            /**
             * @description Id of an EVM chain: 42161 Arbitrum One, 43114 Avalanche, 8453 Base, 56 BNB Smart Chain, 1 Ethereum, 100 Gnosis, 10 OP Mainnet, 137 Polygon, 196 X Layer Mainnet
             * @enum {number}
             */
            chainId: 42161 | 43114 | 8453 | 56 | 1 | 100 | 10 | 137 | 196;
            /**
             * @description Percent by which prices may move before it is executed: 0.5 is 0.5 %, 0 is not at all. Beyond that it reverts
             * @default 0.5
             */
            slippage?: number;
            /**
             * @description Percent of the amount that goes to the project's treasury: 0.3 is 0.3 %. Nothing is taken where the project has none
             * @default 0
             */
            transactionFeePercent?: number;
            extraFee?: components["schemas"]["ExtraFee"];
            /**
             * @description Whether it is prepared even where its price impact, or the pool's distance from the market, is above the operator's limit
             * @default false
             */
            acceptPriceImpact?: boolean;
            /**
             * @description Your own key/value pairs, at most 50. They are echoed on the resource and can filter the history
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description Address that receives the NFT of the position */
            toAddress: string;
            /** @description Token of the chain that pays for gas */
            payGasFeeToken: string;
            /**
             * @description Where the gas fee comes from. `ADD_TO_AMOUNT`: the wallet spends the amount and the gas fee. `DEDUCT_FROM_AMOUNT`: it spends the amount and no more, and the most that gas can cost is taken out of it first
             * @enum {string}
             */
            gasFeePaymentMethod: "ADD_TO_AMOUNT" | "DEDUCT_FROM_AMOUNT";
            /** @description Token that is put in; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the chain's own coin */
            tokenIn: string;
            /** @description Amount to put in, in whole tokens of `tokenIn` */
            amountIn: string;
            /** @description One token of the pool. Prices are of this token, in `token1` */
            token0: string;
            /** @description The other token of the pool, in any order */
            token1: string;
            /** @description Fee tier of the pool in percent: 0.3 is 0.3 % */
            poolFeePercent: number;
            /** @description Lower end of the range: whole tokens of token1 for one whole token0. 0 is the lowest there is */
            minPrice: number;
            /** @description Upper end of the range. Any price above the highest that a pool can have is that one */
            maxPrice: number;
        };
        /** @description No provider gave a quote. Read the reasons in `message`. Change the tokens or the amount; where a provider is down, try again later. */
        Error_SWAP_QUOTE: {
            /**
             * @description The HTTP status
             * @enum {number}
             */
            statusCode: 500;
            /**
             * @description What went wrong, for programs
             * @enum {string}
             */
            id: "SWAP_QUOTE";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Id of the request, the same as in `x-request-id`. Give it to the operator */
            traceId: string;
            /**
             * Format: uri-reference
             * @description Where this reference explains the error
             */
            doc_url: string;
        };
        /** @description A prepared batch, to be signed and executed before it expires */
        Batch: {
            /**
             * @description Kind of the quote, and of the transaction that it becomes
             * @enum {string}
             */
            type: "BATCH";
            /**
             * Format: hex
             * @description Hash of the user operation, by which it is looked up (ERC-4337 `userOpHash`)
             */
            userOperationHash: Hex;
            /**
             * Format: hex
             * @description Id of the quote, by which it is executed
             */
            quoteId: Hex;
            revertReason?: components["schemas"]["RevertReason"];
            authorization?: components["schemas"]["Authorization"];
            /** @description Every fee that is taken */
            fees: components["schemas"]["Fee"][];
            /** @description What the owner signs, in order. POST /api/v1/crypto/execute takes each signature under the `hash` of its element */
            signData: components["schemas"]["SignData"][];
            /** @description Every field of the user operations to sign, in the order of `signData`, so that its hashes can be computed again and its calls be read before anything is signed */
            userOperations: components["schemas"]["SignedOperation"][];
            /** @description What to know besides the figures before signing, in sentences: such as a pool whose price is far from the one that values and gas are computed with. Empty where there is nothing of the kind */
            warnings: string[];
            /**
             * Format: date-time
             * @description When the quote expires
             */
            expiresAt: string;
            /** @description The result of each element, at its index in the request */
            operations: components["schemas"]["BatchElement"][];
            /** @description Of the whole batch, which pays its gas once */
            estimatedGasFees: components["schemas"]["GasEstimate"];
            preview: components["schemas"]["Preview"];
            metadata: components["schemas"]["Metadata"];
        };
        /** @description The result of one element. A swap repeats the gas figures of the whole batch, and has no `signData`, `userOperations` and `warnings` of its own */
        BatchElement: components["schemas"]["BatchSwapElement"] | components["schemas"]["BatchTransferElement"];
        /** @description The result of a transfer */
        BatchTransferElement: {
            /**
             * @description A transfer (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "transfer";
            transfer: components["schemas"]["BatchTransferResult"];
        };
        /** @description A transfer of the batch */
        BatchTransferResult: {
            /**
             * Format: hex
             * @description Token that is sent
             */
            token: Hex;
            /** @description What the receiver gets, in whole tokens */
            amount: string;
            /** @description Address that receives the token */
            toAddress: string;
            /** @description Every fee that is taken */
            fees: components["schemas"]["Fee"][];
        };
        /** @description The result of a swap */
        BatchSwapElement: {
            /**
             * @description A swap (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "swap";
            swap: components["schemas"]["SwapQuote"];
        };
        /** @description A quote of a swap, to be signed and executed before it expires */
        SwapQuote: {
            /**
             * @description Kind of the quote, and of the transaction that it becomes (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "SWAP";
            /** @description Hash of the user operation, by which it is looked up (ERC-4337 `userOpHash`); null where the quote has none */
            userOperationHash: Hex | null;
            /**
             * Format: hex
             * @description Id of the quote, by which it is executed
             */
            quoteId: Hex;
            revertReason?: components["schemas"]["RevertReason"];
            authorization?: components["schemas"]["Authorization"];
            /** @description Every fee that is taken */
            fees: components["schemas"]["Fee"][];
            /** @description What the owner signs, in order. POST /api/v1/crypto/execute takes each signature under the `hash` of its element */
            signData: components["schemas"]["SignData"][];
            /** @description Every field of the user operations to sign, in the order of `signData`, so that its hashes can be computed again and its calls be read before anything is signed */
            userOperations: components["schemas"]["SignedOperation"][];
            /** @description What to know besides the figures before signing, in sentences: such as a pool whose price is far from the one that values and gas are computed with. Empty where there is nothing of the kind */
            warnings: string[];
            /**
             * Format: date-time
             * @description When the operation should be done if it is executed now
             */
            estimatedExecutionTime: string;
            metadata: components["schemas"]["Metadata"];
            /**
             * Format: hex
             * @description Token that is given
             */
            tokenIn: Hex;
            /**
             * Format: hex
             * @description Token that comes out
             */
            tokenOut: Hex;
            /** @description Amount that is swapped, in whole tokens of `tokenIn`, as asked for */
            amountIn: string;
            /** @description Least to receive, in whole tokens of `tokenOut`: with less the swap reverts */
            minAmountOut: string;
            /** @description What it gives at the quoted block, in whole tokens of `tokenOut`, after all fees */
            amountOut: string;
            /** @description Whole tokens of `tokenOut` for one of `tokenIn`: `amountOut` by `amountIn`, so that every fee that comes out of the amount is in it. At least 18 significant digits, rounded down */
            rate: string | null;
            /** @description The other way: whole tokens of `tokenIn` for one of `tokenOut`; null where nothing comes out */
            inverseRate: string | null;
            /** @description Price impact in percent, without fees: against the pools' price before the swap where the provider gives it, else against the prices in dollars. Negative where the price is better; null where it is not known */
            priceImpactPercent: string | null;
            /** @description The routes that the amount takes, largest part first. Empty where they are not known */
            route: {
                /** @description Its share of the amount in percent, with two decimals at most; the shares add up to 100 */
                sharePercent: string;
                /** @description The part of the amount that takes this route, in whole tokens of `tokenIn` */
                amountIn: string;
                /** @description What it gives, in whole tokens of `tokenOut` */
                amountOut: string;
                /** @description The steps of the route, in order */
                hops: {
                    /** @description Name of the place, such as Uniswap V3 */
                    venue: string;
                    /**
                     * Format: hex
                     * @description Contract that the tokens go through: a pool, a pool manager, a bridge
                     */
                    through: Hex;
                    /** @description Which of its pools, where the contract holds many; else null */
                    poolId: Hex | null;
                    /** @description Its fee in percent of the amount; null where it is not a share */
                    feePercent: string | null;
                    /**
                     * Format: hex
                     * @description Token that goes in
                     */
                    tokenIn: Hex;
                    /**
                     * Format: hex
                     * @description Token that comes out
                     */
                    tokenOut: Hex;
                }[];
            }[];
            /** @description Id of the chain of `tokenIn` */
            chainIn: number;
            /** @description Id of the chain of `tokenOut` */
            chainOut: number;
            estimatedGasFees: components["schemas"]["GasEstimate"];
            estimatedCollectedFee: components["schemas"]["CollectedFee"];
            /** @description `amountIn` in dollars; null where the price is not known */
            amountInUSD: string | null;
            /** @description `amountOut` in dollars; null where the price is not known */
            amountOutUSD: string | null;
            /** @description Price of one `tokenIn` in dollars; null where it is not known */
            tokenInPrice: string | null;
            /** @description Id of the provider that makes the swap */
            swapProvider: string;
            /** @description When the quote expires, in unix seconds */
            expiresAt: number;
            typedData?: components["schemas"]["TypedData"];
            /** @description Operation that approves a real-world-asset token first. Absent where none is needed */
            rwaApproveUserOperation?: {
                /**
                 * Format: hex
                 * @description Hash of the operation that gives the approval
                 */
                userOperationHash: Hex;
                authorization: components["schemas"]["Authorization"];
            };
            /** @description Wallet that makes the swap */
            walletAddress: string;
            /** @description Address that receives `tokenOut` */
            toAddress: string;
            preview: components["schemas"]["Preview"];
            /** @description Every provider that was asked */
            candidates: components["schemas"]["Candidate"][];
        };
        /** @description A provider that was asked: its result, or its refusal */
        Candidate: {
            /** @description Id of the provider */
            provider: string;
            /** @description Its name */
            name: string;
            /** @description Milliseconds that it took to answer */
            latencyMs: number;
            /** @description What it would give, in whole tokens of `tokenOut`; null where it gave no quote */
            amountOut: string | null;
            /** @description Why it gave no quote, or why its quote can't be executed; null for a quote that can */
            refusal: string | null;
            /** @description Pools for these tokens that it knows and does not use, such as pools with hooks. They are searched for in the background: the first quote of a pair may come before they are known */
            leftOut: {
                /** @description Name of the exchange */
                venue: string;
                /** @description Id of the pool; null where it is all of the exchange's, or those that could not be looked for */
                poolId: string | null;
                /** @description Why it is not used */
                reason: string;
            }[];
        };
        /** @description What transactionFeePercent collects */
        CollectedFee: {
            /**
             * Format: hex
             * @description Token in which it is collected
             */
            collectedFeeToken: Hex;
            /** @description The project's part, in whole tokens */
            collectedFee: string;
            /** @description The project's part in percent of the amount */
            collectedFeePercent: string;
            /** @description The operator's share of it, in whole tokens */
            serviceCollectedFee: string;
            /** @description The operator's share in percent of the collected fee */
            serviceCollectedFeePercent: string;
        };
        /** @description A batch to prepare */
        BatchRequest: {
            /** @description Registered wallet that makes the batch */
            walletAddress: string;
            /**
             * @description Id of an EVM chain: 42161 Arbitrum One, 43114 Avalanche, 8453 Base, 56 BNB Smart Chain, 1 Ethereum, 100 Gnosis, 10 OP Mainnet, 137 Polygon, 196 X Layer Mainnet
             * @enum {number}
             */
            chainId: 42161 | 43114 | 8453 | 56 | 1 | 100 | 10 | 137 | 196;
            /** @description Executed in this order, all or none */
            operations: components["schemas"]["BatchOperation"][];
            /**
             * @description Your own key/value pairs, at most 50. They are echoed on the resource and can filter the history
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description A transfer or a swap */
        BatchOperation: components["schemas"]["BatchTransfer"] | components["schemas"]["BatchSwap"];
        /** @description A swap of a batch, on the batch's chain */
        BatchSwap: {
            /**
             * @description A swap (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "swap";
            /** @description What to swap */
            params: {
                /** @description Amount to swap, in whole tokens of `tokenIn` */
                amountIn: string;
                /** @description Token to give */
                tokenIn: string;
                /** @description Token to get */
                tokenOut: string;
                /**
                 * @description Where the gas fee comes from. `ADD_TO_AMOUNT`: the wallet spends the amount and the gas fee. `DEDUCT_FROM_AMOUNT`: it spends the amount and no more, and the most that gas can cost is taken out of it first
                 * @enum {string}
                 */
                gasFeePaymentMethod: "ADD_TO_AMOUNT" | "DEDUCT_FROM_AMOUNT";
                /** @description Token that pays for the batch's gas: the same in every element */
                payGasFeeToken: string;
                /**
                 * @description Percent by which the swap may give less than `amountOut`: 0.5 is 0.5 %. Below that it reverts
                 * @default 0.5
                 */
                slippage?: number;
                /** @description Address that receives `tokenOut`; the wallet itself when left out */
                toAddress?: string;
                /**
                 * @description Percent of the amount that goes to the project's treasury: 0.3 is 0.3 %. Nothing is taken where the project has none
                 * @default 0
                 */
                transactionFeePercent?: number;
                extraFee?: components["schemas"]["ExtraFee"];
            };
        };
        /** @description A transfer of a batch */
        BatchTransfer: {
            /**
             * @description A transfer (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "transfer";
            /** @description What to transfer */
            params: {
                /** @description Amount to send, in whole tokens */
                amount: string;
                /**
                 * @description Where the gas fee comes from. `ADD_TO_AMOUNT`: the wallet spends the amount and the gas fee. `DEDUCT_FROM_AMOUNT`: it spends the amount and no more, and the most that gas can cost is taken out of it first
                 * @enum {string}
                 */
                gasFeePaymentMethod: "ADD_TO_AMOUNT" | "DEDUCT_FROM_AMOUNT";
                /** @description Token that pays for the batch's gas: the same in every element */
                payGasFeeToken: string;
                /** @description Token to send */
                token: string;
                /** @description Address that receives the token */
                toAddress: string;
            };
        };
        /** @description The prepared transfer */
        TransferQuote: {
            transfer: components["schemas"]["Transfer"];
        };
        /** @description A prepared transfer, to be signed and executed before it expires */
        Transfer: {
            /**
             * @description Kind of the quote, and of the transaction that it becomes
             * @enum {string}
             */
            type: "TRANSFER";
            /**
             * Format: hex
             * @description Hash of the user operation, by which it is looked up (ERC-4337 `userOpHash`)
             */
            userOperationHash: Hex;
            /**
             * Format: hex
             * @description Id of the quote, by which it is executed
             */
            quoteId: Hex;
            revertReason?: components["schemas"]["RevertReason"];
            authorization?: components["schemas"]["Authorization"];
            /** @description Every fee that is taken */
            fees: components["schemas"]["Fee"][];
            /** @description What the owner signs, in order. POST /api/v1/crypto/execute takes each signature under the `hash` of its element */
            signData: components["schemas"]["SignData"][];
            /** @description Every field of the user operations to sign, in the order of `signData`, so that its hashes can be computed again and its calls be read before anything is signed */
            userOperations: components["schemas"]["SignedOperation"][];
            /** @description What to know besides the figures before signing, in sentences: such as a pool whose price is far from the one that values and gas are computed with. Empty where there is nothing of the kind */
            warnings: string[];
            /**
             * Format: date-time
             * @description When the operation should be done if it is executed now
             */
            estimatedExecutionTime: string;
            /** @description Wallet that sends */
            walletAddress: string;
            /** @description Address that receives the token */
            toAddress: string;
            /** @description Id of the chain */
            chainId: number;
            /**
             * Format: hex
             * @description Token that is sent
             */
            token: Hex;
            /** @description Amount in whole tokens, as asked for. The receiver gets it less the fees */
            amount: string;
            estimatedGasFees: components["schemas"]["GasEstimate"];
            /**
             * Format: date-time
             * @description When the quote expires
             */
            expiresAt: string;
            preview: components["schemas"]["Preview"];
            metadata: components["schemas"]["Metadata"];
        };
        /** @description A transfer to prepare */
        TransferRequest: {
            /** @description Registered wallet that sends */
            walletAddress: string;
            /**
             * @description Id of an EVM chain: 42161 Arbitrum One, 43114 Avalanche, 8453 Base, 56 BNB Smart Chain, 1 Ethereum, 100 Gnosis, 10 OP Mainnet, 137 Polygon, 196 X Layer Mainnet
             * @enum {number}
             */
            chainId: 42161 | 43114 | 8453 | 56 | 1 | 100 | 10 | 137 | 196;
            /** @description Token to send; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the chain's own coin */
            token: string;
            /** @description Amount in whole tokens. The receiver gets it less the fees */
            amount: string;
            /** @description Address that receives the token */
            toAddress: string;
            /**
             * @description Where the gas fee comes from. `ADD_TO_AMOUNT`: the wallet spends the amount and the gas fee. `DEDUCT_FROM_AMOUNT`: it spends the amount and no more, and the most that gas can cost is taken out of it first
             * @enum {string}
             */
            gasFeePaymentMethod: "ADD_TO_AMOUNT" | "DEDUCT_FROM_AMOUNT";
            /** @description Token of the chain that pays for gas */
            payGasFeeToken: string;
            /**
             * @description Percent of the amount that goes to the project's treasury: 0.3 is 0.3 %. Nothing is taken where the project has none
             * @default 0
             */
            transactionFeePercent?: number;
            extraFee?: components["schemas"]["ExtraFee"];
            /**
             * @description Your own key/value pairs, at most 50. They are echoed on the resource and can filter the history
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description Quotes of a swap */
        SwapQuotes: {
            /** @description Best first, by the route profile */
            quotes: components["schemas"]["Quote"][];
        };
        /** @description A quote. `type` is its kind */
        Quote: components["schemas"]["SwapQuote"];
        /** @description A swap to quote */
        SwapRequest: {
            /** @description Amount to swap, in whole tokens of `tokenIn` */
            amountIn: string;
            /**
             * @description Id of the chain that `tokenIn` is on
             * @enum {number}
             */
            chainIdIn: 42161 | 43114 | 8453 | 56 | 1 | 100 | 10 | 137 | 196 | 0;
            /**
             * @description Id of the chain that `tokenOut` is on
             * @enum {number}
             */
            chainIdOut: 42161 | 43114 | 8453 | 56 | 1 | 100 | 10 | 137 | 196 | 0;
            /**
             * @description Which quotes to wait for, and their order. `QUICKEST_QUOTE`: the first that can be executed. `BEST_OUTPUT`: all, the highest guaranteed output first; slow. `FASTEST_BRIDGE`: for swaps between chains, the fastest first; slow
             * @default QUICKEST_QUOTE
             * @enum {string}
             */
            routeProfile?: "QUICKEST_QUOTE" | "FASTEST_BRIDGE" | "BEST_OUTPUT";
            /**
             * @description Where the gas fee comes from. `ADD_TO_AMOUNT`: the wallet spends the amount and the gas fee. `DEDUCT_FROM_AMOUNT`: it spends the amount and no more, and the most that gas can cost is taken out of it first
             * @enum {string}
             */
            gasFeePaymentMethod: "ADD_TO_AMOUNT" | "DEDUCT_FROM_AMOUNT";
            /** @description Token of `chainIdIn` that pays for gas; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the chain's own coin */
            payGasFeeToken: string;
            /** @description Token to give */
            tokenIn: string;
            /** @description Token to get */
            tokenOut: string;
            /** @description Registered wallet that makes the swap */
            walletAddress: string;
            /** @description Address that receives `tokenOut`; usually the wallet itself */
            toAddress: string;
            /**
             * @description Percent of the amount that goes to the project's treasury: 0.3 is 0.3 %. Nothing is taken where the project has none
             * @default 0
             */
            transactionFeePercent?: number;
            extraFee?: components["schemas"]["ExtraFee"];
            /**
             * @description Percent by which the swap may give less than `amountOut`: 0.5 is 0.5 %. Below that it reverts
             * @default 0.5
             */
            slippage?: number;
            /** @description Least to receive, in whole tokens of `tokenOut`. Asks for a limit order instead of a market swap */
            minAmountOut?: string;
            /** @description Seconds from the quote until a limit order expires */
            expiration?: number;
            /**
             * @description Whether a limit order may be filled in several parts
             * @default true
             */
            partialFillable?: boolean;
            /**
             * @description Your own key/value pairs, at most 50. They are echoed on the resource and can filter the history
             * @default {}
             */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description Id of a verified individual. Required where a token represents a real-world asset
             * @default null
             */
            individualId?: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "swap.quote": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwapRequest"];
            };
        };
        responses: {
            /** @description Quotes of a swap */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SwapQuotes"];
                };
            };
        };
    };
    "transfer.quote": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferRequest"];
            };
        };
        responses: {
            /** @description The prepared transfer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferQuote"];
                };
            };
        };
    };
    "batch.quote": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            /** @description A prepared batch, to be signed and executed before it expires */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    "liquidity.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLiquidityRequest"];
            };
        };
        responses: {
            /** @description The prepared new position */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiquidityCreateQuote"];
                };
            };
        };
    };
    "liquidity.add": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddLiquidityRequest"];
            };
        };
        responses: {
            /** @description The prepared addition */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiquidityAddQuote"];
                };
            };
        };
    };
    "liquidity.withdraw": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawLiquidityRequest"];
            };
        };
        responses: {
            /** @description The prepared withdrawal */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiquidityWithdrawQuote"];
                };
            };
        };
    };
    "liquidity.rebalance": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RebalanceLiquidityRequest"];
            };
        };
        responses: {
            /** @description The prepared rebalance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiquidityRebalanceQuote"];
                };
            };
        };
    };
    "lending.quote": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LendingRequest"];
            };
        };
        responses: {
            /** @description A prepared lending operation, to be signed and executed before it expires */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LendingQuote"];
                };
            };
        };
    };
    "lending.markets": {
        parameters: {
            query?: {
                /** @description Only markets of this chain */
                chainId?: number;
                /** @description `LENDING_PROVIDER_A` is Aave V3, `LENDING_PROVIDER_B` is Morpho Blue */
                provider?: "LENDING_PROVIDER_A" | "LENDING_PROVIDER_B";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Markets in which listed tokens are lent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LendingMarkets"];
                };
            };
        };
    };
    "lending.positions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Address of the wallet */
                walletAddress: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A wallet's loans and what secures them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LendingPositions"];
                };
            };
        };
    };
    "executions.execute": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExecuteRequest"];
            };
        };
        responses: {
            /** @description The accepted quote */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
        };
    };
    "executions.transaction": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `transactionId` of an execution, or `id` of the history */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionAnswer"];
                };
            };
        };
    };
    "userOperations.execute": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExecuteUserOperationRequest"];
            };
        };
        responses: {
            /** @description The accepted operation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserOperationExecution"];
                };
            };
        };
    };
    "userOperations.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `userOperationHash` of a quote */
                userOperationHash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user operation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserOperationAnswer"];
                };
            };
        };
    };
    "wallets.register": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterWalletRequest"];
            };
        };
        responses: {
            /** @description The wallet */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAnswer"];
                };
            };
        };
    };
    "wallets.replaceMetadata": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Address of the wallet */
                walletAddress: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletMetadataRequest"];
            };
        };
        responses: {
            /** @description The wallet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAnswer"];
                };
            };
        };
    };
    "wallets.address": {
        parameters: {
            query: {
                /** @description Address of the owner: the key that signs for the wallet */
                externallyOwnedAccount: string;
                /** @description Account factory, one of GET /api/v1/wallets/factories */
                factory: string;
                /** @description A whole number as text; 0 when left out. Each salt gives another wallet of the same owner. Not together with `eip7702` */
                salt?: string;
                /** @description Whether the owner's own address takes on the account's code (EIP-7702) */
                eip7702?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAnswer"];
                };
            };
        };
    };
    "wallets.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project's wallets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallets"];
                };
            };
        };
    };
    "wallets.factories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The supported account kinds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Factories"];
                };
            };
        };
    };
    "wallets.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Address of the wallet */
                walletAddress: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAnswer"];
                };
            };
        };
    };
    "wallets.history": {
        parameters: {
            query?: {
                /** @description Transactions on a page, at most */
                take?: number;
                /** @description `nextLastId` of the page before. Left out for the first page */
                lastId?: string;
                /** @description Only transactions of these types */
                type?: ("SWAP" | "CROSS_SWAP" | "LENDING_SUPPLY" | "LENDING_SUPPLY_BORROW" | "LENDING_BORROW" | "LENDING_WITHDRAW" | "LENDING_REPAY" | "LENDING_REPAY_WITHDRAW" | "LENDING_LIQUIDATION" | "CRYPTO_DEPOSIT" | "CRYPTO_WITHDRAW" | "TRANSFER" | "BATCH" | "LIMIT_ORDER" | "LIMIT_ORDER_CANCEL" | "FIAT_DEPOSIT" | "FIAT_WITHDRAWAL" | "LIQUIDITY_CREATE" | "LIQUIDITY_ADD" | "LIQUIDITY_WITHDRAW" | "LIQUIDITY_REBALANCE" | "WALLET_DEPLOY")[];
                /** @description Only transactions with one of these statuses */
                status?: ("PENDING_SIGNATURE" | "PROCESSING" | "ON_BRIDGE" | "COMPLETED" | "PARTIALLY_COMPLETED" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED")[];
                /** @description Only the transaction of this user operation */
                userOperationHash?: string;
                /** @description Only those with this transaction on chain */
                transactionHash?: string;
                /** @description Only transactions that start or end on one of these chains */
                chains?: (42161 | 43114 | 8453 | 56 | 1 | 100 | 10 | 137 | 196 | 0)[];
                /**
                 * @deprecated
                 * @description Deprecated, use `chains`. Only transactions that start on this chain
                 */
                chainInId?: number;
                /**
                 * @deprecated
                 * @description Deprecated, use `chains`. Only transactions that end on this chain
                 */
                chainOutId?: number;
                /** @description Only transactions that were created at this instant or before */
                createdAtLatest?: string;
                /** @description Only transactions that were created at this instant or later */
                createdAtOldest?: string;
                /** @description With `metadataValue`: only transactions with this pair in their metadata */
                metadataKey?: string;
                /** @description The value under `metadataKey` */
                metadataValue?: string;
                /** @description Only transactions of the liquidity position with this NFT id, or with it as `positionId` in their metadata: the id of its first NFT finds them all. Together with `metadataKey=positionId` either may match */
                nftNumber?: string;
            };
            header?: never;
            path: {
                /** @description Address of the wallet */
                walletAddress: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a wallet's history */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryPage"];
                };
            };
        };
    };
    "catalog.chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The supported chains */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chains"];
                };
            };
        };
    };
    "catalog.providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The providers that swaps are asked of */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Providers"];
                };
            };
        };
    };
    "catalog.tokens": {
        parameters: {
            query?: {
                /** @description Part of a symbol or name, or a whole address */
                search?: string;
                /** @description Only tokens of these chains, by their ids */
                chains?: (42161 | 43114 | 8453 | 56 | 1 | 100 | 10 | 137 | 196 | 0)[];
                /** @description Which page to show; the first is 1 */
                page?: number;
                /** @description Tokens on a page */
                perPage?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the supported tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
        };
    };
    "pools.show": {
        parameters: {
            query?: {
                /** @description Days that the statistics are of */
                rangeInDays?: number;
            };
            header?: never;
            path: {
                /** @description `id` of a pool: chain id, hyphen, address */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A pool with its statistics */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiquidityPoolResponse"];
                };
            };
        };
    };
    "pools.search": {
        parameters: {
            query: {
                /** @description Chain of the pools */
                chainId: number;
                /** @description A token of the pools; listed ones alone */
                token0?: string;
                /** @description The other token. The order of the two does not matter */
                token1?: string;
                /** @description Fee of the pools in percent, such as 0.05 */
                fee?: number;
                /** @description Days that the statistics are of */
                rangeInDays?: number;
                /** @description Pools of a page at most */
                take?: number;
                /** @description `nextLastId` of the page before */
                lastId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of pools */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiquidityPools"];
                };
            };
        };
    };
    "pools.position": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Chain of the position */
                chainId: number;
                /** @description Number of the position's NFT */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A position, and what it earns */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiquidityPositionResponse"];
                };
            };
        };
    };
    "webhooks.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project's webhooks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhooks"];
                };
            };
        };
    };
    "webhooks.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook and its secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    "webhooks.enable": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAnswer"];
                };
            };
        };
    };
    "webhooks.rotate": {
        parameters: {
            query?: {
                /** @description For how many seconds deliveries are signed with the earlier secrets too */
                overlapSeconds?: number;
            };
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook and its secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    "webhooks.test": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAnswer"];
                };
            };
        };
    };
    "webhooks.redeliver": {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, 1 to 255 visible characters, such as a UUID. For 24 hours the same request under the same key gets the same answer, and nothing is done twice. Another request under it is 409 `IDEMPOTENCY_KEY_REUSED` */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the webhook */
                id: string;
                /** @description Id of the delivery */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAnswer"];
                };
            };
        };
    };
    "webhooks.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAnswer"];
                };
            };
        };
    };
    "webhooks.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.deliveries": {
        parameters: {
            query?: {
                /** @description Deliveries on a page, at most */
                take?: number;
                /** @description `nextLastId` of the page before. Left out for the first page */
                lastId?: string;
            };
            header?: never;
            path: {
                /** @description Id of the webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a webhook's deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deliveries"];
                };
            };
        };
    };
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process runs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process can serve requests */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
}
