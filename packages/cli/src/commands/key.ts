import { Projects, Scope, scopes } from "@countersign/core/tenancy/projects"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withProjects } from "../environment/connect.ts"
import { NotFound } from "../environment/errors.ts"
import { projectFlag, requireActiveKey, resolveProject } from "../environment/project.ts"
import { readAsDuration } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, tableOrHint } from "../output/table.ts"

const rotate = Command.make(
  "rotate",
  {
    key: Argument.String("key-id").pipe(Argument.withDescription("Id of the key, as `key list` shows it")),
    overlap: Flag.String("overlap").pipe(
      Flag.withDescription("Time for which the old key remains valid, such as 1h; by default one day"),
      readAsDuration,
      Flag.withDefault(Duration.days(1))
    ),
    json: jsonFlag
  },
  ({ json, key, overlap }) =>
    withProjects(
      Effect.gen(function* () {
        yield* requireActiveKey(key)
        const newKey = yield* (yield* Projects).rotateKey(key, Duration.toMillis(overlap))
        if (newKey === null) {
          return yield* new NotFound({
            what: `The project has no valid key ${key}.`,
            hint: "`countersign key list` shows the keys, including revoked and expired keys."
          })
        }
        const endsAt = DateTime.formatIso(
          DateTime.add(yield* DateTime.now, { milliseconds: Duration.toMillis(overlap) })
        )
        yield* print(
          json,
          { ...newKey.key, hash: undefined, key: newKey.text, replaces: key, replacedUntil: endsAt },
          () =>
            card([
              ["key", newKey.text],
              ["id", newKey.key.id],
              ["replaces", `${key}, which stays valid until ${endsAt}`],
              ["note", "The key is shown only once; the service stores only its hash."]
            ])
        )
      })
    )
).pipe(Command.withDescription("Replace a key with a new one. The old key remains valid for the time of --overlap"))

const isScope = Schema.is(Scope)

const splitCommaList = (text: string): ReadonlyArray<string> => text.split(",").map((word) => word.trim())

/** Parses comma-separated scopes. None if a scope is unknown. */
const scopesOrNone = (text: string): Option.Option<ReadonlyArray<Scope>> => {
  const words = splitCommaList(text)
  return words.every(isScope) ? Option.some(words) : Option.none()
}

const create = Command.make(
  "create",
  {
    project: projectFlag,
    name: Flag.String("name").pipe(
      Flag.withDescription("Name that describes the purpose of the key"),
      Flag.withDefault("key")
    ),
    scope: Flag.String("scope").pipe(
      Flag.withDescription(
        `Scopes of the key, separated by commas: ${scopes.join(", ")}; by default read,quote,execute`
      ),
      Flag.filterMap(
        scopesOrNone,
        (text) =>
          `Expected scopes among ${scopes.join(", ")}, not ${splitCommaList(text)
            .filter((word) => !isScope(word))
            .join(", ")}`
      ),
      Flag.withDefault<ReadonlyArray<Scope>>(["read", "quote", "execute"])
    ),
    environment: Flag.Literals("environment", ["live", "test"]).pipe(
      Flag.withDescription("Environment, which is a visible part of the key"),
      Flag.withDefault("live")
    ),
    expires: Flag.String("expires-in").pipe(
      Flag.withDescription("Time after which the key expires, such as 90d or 12h; by default the key does not expire"),
      readAsDuration,
      Flag.optional
    ),
    json: jsonFlag
  },
  ({ environment, expires, json, name, project, scope }) =>
    withProjects(
      Effect.gen(function* () {
        const now = yield* DateTime.now
        const { id } = yield* resolveProject(project)
        const { key, text } = yield* (yield* Projects).createKey(id, {
          name,
          environment,
          scopes: scope,
          expiresAt: Option.match(expires, {
            onNone: () => null,
            onSome: (duration) => DateTime.add(now, { milliseconds: Duration.toMillis(duration) })
          })
        })
        yield* print(json, { ...key, hash: undefined, key: text }, () =>
          card([
            ["key", text],
            ["id", key.id],
            ["scopes", key.scopes.join(", ")],
            ["expires", key.expiresAt === null ? "never" : DateTime.formatIso(key.expiresAt)],
            ["note", "The key is shown only once; the service stores only its hash."]
          ])
        )
      })
    )
).pipe(
  Command.withDescription("Create an API key and show it once"),
  Command.withExamples([
    {
      command: "countersign key create --name shop --scope read,quote --expires-in 90d",
      description: "Create a key that can read and quote, for three months"
    }
  ])
)

const list = Command.make("list", { project: projectFlag, json: jsonFlag }, ({ json, project }) =>
  withProjects(
    Effect.gen(function* () {
      const { id } = yield* resolveProject(project)
      const keys = yield* (yield* Projects).listKeys(id)
      yield* print(
        json,
        keys.map((key) => ({ ...key, hash: undefined })),
        () =>
          tableOrHint(
            ["ID", "NAME", "SCOPES", "LAST USED", "EXPIRES", "REVOKED"],
            keys.map((key) => [
              key.id,
              key.name,
              key.scopes.join(","),
              ...[key.lastUsedAt, key.expiresAt, key.revokedAt].map((at) =>
                at === null ? null : DateTime.formatIso(at)
              )
            ]),
            "The project has no key. Create one with `countersign key create`."
          )
      )
    })
  )
).pipe(Command.withDescription("List a project's keys"))

const revoke = Command.make(
  "revoke",
  {
    key: Argument.String("key-id").pipe(Argument.withDescription("Id of the key, as `key list` shows it")),
    json: jsonFlag
  },
  ({ json, key }) =>
    withProjects(
      Effect.gen(function* () {
        yield* requireActiveKey(key)
        if (!(yield* (yield* Projects).revokeKey(key))) {
          return yield* new NotFound({
            what: `The project has no key ${key} that can be revoked.`,
            hint: "`countersign key list` shows the keys, including revoked keys."
          })
        }
        yield* print(
          json,
          { id: key, revoked: true },
          () => `Key ${key} is revoked; requests with it get 401 from now on.`
        )
      })
    )
).pipe(Command.withDescription("Revoke a key immediately and permanently"))

export const key = Command.make("key").pipe(Command.withSubcommands([create, list, rotate, revoke]))
