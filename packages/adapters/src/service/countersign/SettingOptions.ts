/** The options that are settings of a server too, made of their table by `settingTexts.test.ts` (`vitest -u`). */

export interface NftCollectionOption {
  readonly chainId: number
  readonly address: string
  /** The ids to look at of an ERC-1155; ERC-721 contracts enumerate theirs. */
  readonly ids?: ReadonlyArray<string>
}

export interface ChainOptions {
  /**
   * Nodes of a chain, separated by commas, the preferred first; `public` stands for public nodes of others, which
   * limit rates and see every request. Only chains that have it are served.
   */
  readonly rpcUrl: string | ReadonlyArray<string>
  /** An external ERC-4337 bundler, in place of own keys. */
  readonly bundlerUrl?: string | ReadonlyArray<string>
  /** An external ERC-7677 paymaster, in place of an own one. */
  readonly paymasterUrl?: string | ReadonlyArray<string>
}

export interface SettingOptions {
  /** The chains that are served, by their ids: 1, 10, 56, 100, 137, 196, 8453, 42161, 43114. One at least. */
  readonly chains: Readonly<Record<number, ChainOptions>>
  /**
   * Connections of each process to Postgres. A request that gets none within 5 s is answered with 503. Default: 10
   * connections.
   */
  readonly databasePoolSize?: number
  /**
   * Whether DATABASE_URL leads to PgBouncer in transaction mode. Then no statement is prepared, and the role needs a
   * statement timeout of its own: `alter role … set statement_timeout = '30s'`. Default: false.
   */
  readonly databasePgBouncer?: boolean
  /**
   * The key that encrypts webhooks' secrets and the keys of personal data in the database: 32 bytes in base 64, as
   * `openssl rand -base64 32` makes them. Required. Several, separated by commas: the first one encrypts, each
   * decrypts. Keep it apart from backups of the database.
   */
  readonly secretsKey?: string
  readonly identity?: {
    /**
     * The folder of documents of identity verification, each sealed with a key of its own. Several processes need the
     * same one. Default: `documents` in COUNTERSIGN_HOME.
     */
    readonly documentsFolder?: string
    readonly s3?: {
      /**
       * A bucket of S3, or of a store that speaks its protocol and knows conditional writes, with a prefix of keys
       * where one is wanted, as https://s3.eu-central-1.amazonaws.com/bucket/prefix. Sealed documents are kept there
       * instead of in identity.documentsFolder, where uploads are still received.
       */
      readonly url?: string
      /** The region of the bucket. Default: us-east-1. */
      readonly region?: string
      /** The id of a key that may get, put and delete objects of the bucket. */
      readonly accessKeyId?: string
      /** That key. */
      readonly secretAccessKey?: string
    }
    readonly sumsub?: {
      /**
       * The app token of Sumsub, which then checks people and businesses. Without one the operator decides about
       * each.
       */
      readonly appToken?: string
      /** The secret key of the app token. */
      readonly secretKey?: string
      /**
       * The secret of a webhook of Sumsub that leads to /callbacks/sumsub, with HMAC_SHA256_HEX or HMAC_SHA512_HEX.
       * Without it sessions are asked for, once a minute.
       */
      readonly webhookSecret?: string
      /** The verification level of people and of owners, by its name. Default: basic-kyc-level. */
      readonly levelIndividual?: string
      /** The verification level of businesses, by its name. Default: basic-kyb-level. */
      readonly levelBusiness?: string
      /**
       * Sumsub's API, where that is not https://api.sumsub.com. It learns all that a session tells of people, and
       * their documents.
       */
      readonly url?: string
    }
  }
  /** The base of the links in answers (logos). Without it they have the Host that the client named. */
  readonly publicUrl?: string
  readonly watch?: {
    /**
     * What is looked for on chains of registered wallets, also where it was done elsewhere: all (tokens and coin, for
     * which every block is read, and traced where the node can), tokens, or off. Default: all.
     */
    readonly transfers?: "all" | "tokens" | "off"
    /**
     * How far back transfers are looked for once a wallet is registered, of coin where the nodes have the state of
     * past blocks; 0 for not at all. Default: 50000 blocks.
     */
    readonly backfillBlocks?: number
  }
  readonly quotes?: {
    /** The longest time that one provider of swaps may take. Default: 10000 ms. */
    readonly providerTimeoutMs?: number
    /**
     * Once this time has passed, QUICKEST_QUOTE answers with the quotes that there are, also where none can be
     * executed. Where there is none it waits for the first. Default: 900 ms.
     */
    readonly quickestQuoteMs?: number
    /** For how long a quote is valid, a day at most. Default: 60 s. */
    readonly seconds?: number
    /** The address that gets the operator's share of fees. */
    readonly operatorTreasury?: string
    /** The operator's share of every transactionFeePercent. Default: 0 %. */
    readonly operatorSharePercent?: number
  }
  readonly liquidity?: {
    /**
     * Price impact of an operation on liquidity, or distance of its pool from the market, above which it has a
     * warning. Default: 3 %.
     */
    readonly warnPercent?: number
    /** The same above which it is refused, unless the request has `acceptPriceImpact`. Default: 15 %. */
    readonly maxPercent?: number
  }
  readonly bundler?: {
    readonly operatorKeys?: {
      /**
       * The bundler's own keys for EntryPoint 0.7, one or several separated by commas. They send the operations and
       * are repaid by them. Each needs coin on every chain.
       */
      readonly "0.7"?: string | ReadonlyArray<string>
      /** The same for EntryPoint 0.8. No key may serve both EntryPoints. */
      readonly "0.8"?: string | ReadonlyArray<string>
    }
  }
  readonly paymaster?: {
    /** Signs for gas that is paid in tokens. Without it and without PAYMASTER_URL gas is paid in coin alone. */
    readonly signerKey?: string
    readonly addresses?: {
      /** The paymaster contract for EntryPoint 0.7, the same on every chain. */
      readonly "0.7"?: string
      /** The paymaster contract for EntryPoint 0.8, the same on every chain. */
      readonly "0.8"?: string
    }
    /** The address that gets the tokens, and gives back what was not needed. */
    readonly treasury?: string
  }
  /** How a wallet's first operation pays with a gas token: trusted, or paid before its calls. Default: trusted. */
  readonly firstUseOfGasToken?: "trusted" | "paid"
  /**
   * Gas that each project may leave unpaid in a day. At 0 no operation is accepted whose gas could stay unpaid.
   * Default: 50 US dollars.
   */
  readonly lossBudgetUsdPerDay?: number
  /** The same for all projects together. Default: 200 US dollars. */
  readonly lossBudgetTotalUsdPerDay?: number
  readonly lending?: {
    /** Lending quotes that lower the health factor below this have a warning. Default: 1.25. */
    readonly healthFactorWarning?: number
    /**
     * Lending quotes that lower the health factor below this are refused, unless the request accepts it. Default:
     * 1.03.
     */
    readonly healthFactorMinimum?: number
  }
  readonly aggregators?: {
    /**
     * Aggregators that are asked for swap quotes beside the pools, separated by commas: kyberswap, lifi, velora. They
     * learn tokens, amounts, wallets and receivers. What they answer is checked before it is offered.
     */
    readonly names?: ReadonlyArray<"kyberswap" | "lifi" | "velora">
    /** How long a request to one of them may take: quotes of all providers wait for it. Default: 2000 ms. */
    readonly timeoutMs?: number
    /** Who asks, for KyberSwap's limits. Default: countersign. */
    readonly kyberSwapClientId?: string
    /** Requests that KyberSwap takes of one process, as far as it has said. Default: 3. */
    readonly kyberSwapRequestsPerSecond?: number
    /** KyberSwap's aggregator API, where that is not https://aggregator-api.kyberswap.com. */
    readonly kyberSwapUrl?: string
    /** LI.FI's key. Without it LI.FI gives 75 quotes in two hours, for all processes; a swap takes two or more. */
    readonly liFiKey?: string
    /** Who asks, as LI.FI has it registered. Default: countersign. */
    readonly liFiIntegrator?: string
    /** LI.FI's API, where that is not https://li.quest/v1. */
    readonly liFiUrl?: string
    /** Velora's API, where that is not https://api.velora.xyz. */
    readonly veloraUrl?: string
  }
  readonly marketData?: {
    /**
     * Sources of prices and exchange rates for what is shown and reported, in the order in which they are asked,
     * separated by commas: coingecko, defillama. They learn which tokens are asked for. Without one there are no
     * values in other currencies and no prices of the past. Quotes and gas never go by them.
     */
    readonly sources?: ReadonlyArray<"coingecko" | "defillama">
    /** The key of a CoinGecko plan. Without it the public limits hold. */
    readonly coinGeckoKey?: string
    /** What the key is of: demo, or pro for a paid plan. Default: demo. */
    readonly coinGeckoPlan?: "demo" | "pro"
    /** CoinGecko's API, where that is not the plan's own, as behind a proxy. */
    readonly coinGeckoUrl?: string
    /** DefiLlama's coins API, where that is not https://coins.llama.fi. */
    readonly defiLlamaUrl?: string
  }
  readonly limitOrders?: {
    /**
     * CoW Protocol's order books, where those of limit orders are not the public ones: the URL above the path of each
     * chain. They learn each wallet that asks for a limit order. Default: https://api.cow.fi.
     */
    readonly cowApiUrl?: string
  }
  readonly fiat?: {
    readonly blindPay?: {
      /**
       * The key of an instance of BlindPay, for deposits from banks and withdrawals to them. Without one there are
       * none.
       */
      readonly apiKey?: string
      /** The id of the instance, in_ and twelve characters. */
      readonly instanceId?: string
      /**
       * The secret of the instance's webhook, whsec_ and more, which leads to /callbacks/blindpay. Without it orders
       * are asked for, up to a minute later.
       */
      readonly webhookSecret?: string
      /**
       * BlindPay's API, where that is not https://api.blindpay.com. It learns wallets, amounts, and the accounts that
       * withdrawals are paid to.
       */
      readonly url?: string
    }
    readonly bridge?: {
      /**
       * The key of an account of Bridge, likewise. Where both serve a payment method, the quote comes from the one
       * that gives more.
       */
      readonly apiKey?: string
      /**
       * The public key of the account's webhook as PEM, which leads to /callbacks/bridge; \n may stand for the end of
       * a line. Without it orders are asked for, up to a minute later.
       */
      readonly webhookPublicKey?: string
      /**
       * Bridge's API, where that is not https://api.bridge.xyz. It learns wallets, amounts, and the accounts that
       * withdrawals are paid to.
       */
      readonly url?: string
    }
    /**
     * What an identity may deposit, and what it may withdraw, in whole units of the currency: of a transaction, a
     * day, a month and a quarter by way of payment, as PIX=25000/50000/250000/625000,ACH=5000/10000/50000/125000.
     * With a level before it, as DOCUMENTS:PIX=100000/200000/1000000/2500000, it is of identities of that level
     * alone: BASIC of those that an operator has verified, DOCUMENTS of people, BUSINESS of businesses with their
     * owners. Ways that are not named have about 5 000 US dollars of a transaction, twice that a day, 10 times a
     * month and 25 times a quarter.
     */
    readonly limits?: string
  }
  readonly across?: {
    /** The key of Across's API, for swaps to other chains. Across gives keys on request. */
    readonly apiKey?: string
    /** The id that Across gives with a key, 0x and 4 hexadecimal digits: deposits end with it. */
    readonly integratorId?: string
    /**
     * Across's API, where that is not https://app.across.to/api, or where there is no key: without one its limits are
     * strict. It learns tokens, amounts and chains, and no address. Without either setting no swap goes to another
     * chain by Across.
     */
    readonly url?: string
  }
  readonly thorchain?: {
    /**
     * A THORNode's HTTP API, such as https://gateway.liquify.com/chain/thorchain_api, for swaps out of bitcoins by
     * THORChain. It needs no key. It learns tokens and amounts, and of a swap that is under way its payment. Without
     * it, or without bitcoin.esploraUrls, none are made.
     */
    readonly url?: string
  }
  readonly bitcoin?: {
    /**
     * Hosts of Esplora's HTTP API, separated by commas, such as https://blockstream.info/api: each stands in for
     * those before it. They learn which addresses are asked for. Without one no balance of a Bitcoin address is read.
     */
    readonly esploraUrls?: string | ReadonlyArray<string>
    /**
     * Own nodes of Bitcoin Core, with name and password as in http://name:password@127.0.0.1:8332, separated by
     * commas: they take transactions and estimate fees before hosts of Esplora do. Balances and histories need
     * bitcoin.esploraUrls.
     */
    readonly coreUrls?: string | ReadonlyArray<string>
    /**
     * Confirmations after which a payment is completed: a number, or several with the amount in BTC from which each
     * holds, such as 1,3:0.1,6:1. Default: 6.
     */
    readonly confirmations?: string | ReadonlyArray<string>
  }
  readonly nfts?: {
    /**
     * Collections that portfolios list beside positions of Uniswap: `<chain id>:<address>` of contracts of ERC-721
     * that enumerate, `<chain id>:<address>:<id>:<id>` of ERC-1155, separated by commas.
     */
    readonly collections?: ReadonlyArray<NftCollectionOption>
    /**
     * The URL under which `ipfs://` paths are read, such as https://ipfs.example/ipfs. Without it the metadata that
     * is there is left out.
     */
    readonly ipfsGateway?: string
  }
  readonly webhooks?: {
    /** Whether webhooks may go to private addresses. Default: false. */
    readonly allowPrivateTargets?: boolean
    /** The longest time that one delivery may take, 30000 at most. Default: 15000 ms. */
    readonly timeoutMs?: number
  }
  readonly retention?: {
    /** For how long quotes that were not signed are kept. Default: 7 days. */
    readonly quoteDays?: number
    /** For how long events and ended deliveries are kept. Default: 30 days. */
    readonly eventDays?: number
    /**
     * For how long personal data and documents are kept of identities that were refused, or whose documents did not
     * come. Default: 90 days.
     */
    readonly refusedIdentityDays?: number
  }
  readonly mail?: {
    /**
     * The folder that mails are written into as .eml files where there is no mail.smtpUrl. Default: `mail` in
     * COUNTERSIGN_HOME.
     */
    readonly folder?: string
    /**
     * The mail server that takes tax exports: smtp://user:password@host:587 (STARTTLS) or smtps://…:465. A name or
     * password goes over TLS alone. Without it mails are written as .eml files into mail.folder, and are not sent.
     */
    readonly smtpUrl?: string
    /** The address that mails come from. Required with mail.smtpUrl. */
    readonly from?: string
  }
}
