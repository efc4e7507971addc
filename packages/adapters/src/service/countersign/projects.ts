import { AddressText } from "@countersign/core/foundation/primitives"
import { Project, ProjectId, ProjectStore, Projects } from "@countersign/core/tenancy/projects"
import { DateTime, Effect, Option, Schema } from "effect"
import { decoderOf, encoderOf } from "../../api/endpoints/index.ts"
import { CheckedBitcoinAddress } from "../../chains/bitcoin/index.ts"
import type { Run } from "./session.ts"

/** A project in the library's own format, because the API has no project resource. */
const ProjectBody = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  treasury: Schema.NullOr(Schema.String),
  bitcoinTreasury: Schema.NullOr(Schema.String),
  computeUnits: Schema.NullOr(Schema.Finite),
  createdAt: Schema.String
})
const encodeProject = encoderOf(ProjectBody)
const encodeProjects = encoderOf(Schema.Array(ProjectBody))

const Treasury = Schema.NullOr(AddressText)
const BitcoinTreasury = Schema.NullOr(CheckedBitcoinAddress)

const NewProject = Schema.Struct({
  name: Project.fields.name,
  treasury: Treasury.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  bitcoinTreasury: BitcoinTreasury.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
})
const decodeNewProject = decoderOf(NewProject)

const ProjectChanges = Schema.Struct({
  treasury: Schema.optionalKey(Treasury),
  bitcoinTreasury: Schema.optionalKey(BitcoinTreasury),
  computeUnits: Schema.optionalKey(Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))))
})
const decodeProjectChanges = decoderOf(ProjectChanges)

const bodyOfProject = ({ bitcoinTreasury, computeUnits, createdAt, id, name, treasury }: Project) => ({
  id,
  name,
  treasury,
  bitcoinTreasury,
  computeUnits,
  createdAt: DateTime.formatIso(createdAt)
})

const encodeProjectBody = (project: Project) => encodeProject(bodyOfProject(project))

const isProjectId = Schema.is(ProjectId)

/** Parses a project id. An invalid id becomes an id that no project has. */
export const projectIdOf = (id: string): ProjectId => (isProjectId(id) ? id : UNUSED_PROJECT_ID)

const UNUSED_PROJECT_ID = ProjectId.make("00000000-0000-4000-8000-000000000000")

/**
 * Id of the default project, for a host with one tenant. It is constant, so that two processes create only one project.
 */
const DEFAULT_PROJECT_ID = ProjectId.make("00000000-0000-4000-8000-000000000001")

/**
 * Returns the project for calls without a project id: the configured one, otherwise the default project, which is
 * created on demand.
 */
export const findOrCreateOwnProject = Effect.fnUntraced(function* (id: string | undefined) {
  const projects = yield* Projects
  if (id !== undefined) return (yield* projects.get(projectIdOf(id))).id
  const store = yield* ProjectStore
  if (Option.isSome(yield* store.find(DEFAULT_PROJECT_ID))) return DEFAULT_PROJECT_ID
  const createdAt = yield* DateTime.now
  const project = {
    id: DEFAULT_PROJECT_ID,
    organizationId: DEFAULT_PROJECT_ID,
    name: "default",
    treasury: null,
    bitcoinTreasury: null,
    computeUnits: null,
    createdAt
  }
  // Another process may have created the project first.
  yield* Effect.catchCause(store.insert(project), () => Effect.void)
  return (yield* projects.get(DEFAULT_PROJECT_ID)).id
})

/** Calls for projects, which are the tenants. The data of a project are invisible to other projects. */
export const projectsOf = (run: Run) => ({
  /**
   * Creates a project. `treasury` receives the `transactionFeePercent` of EVM operations, and `bitcoinTreasury` the fee
   * of Bitcoin payments. If an address is not set, its fee is not charged.
   */
  create: (body: typeof NewProject.Encoded) =>
    run(
      Effect.gen(function* () {
        const { bitcoinTreasury, name, treasury } = yield* decodeNewProject(body)
        return yield* encodeProjectBody(yield* (yield* Projects).create(name, treasury, bitcoinTreasury))
      })
    ),
  list: () =>
    run(
      Effect.gen(function* () {
        const projects = yield* (yield* Projects).list
        return yield* encodeProjects(projects.map(bodyOfProject))
      })
    ),
  get: (id: string) =>
    run(
      Effect.gen(function* () {
        return yield* encodeProjectBody(yield* (yield* Projects).get(projectIdOf(id)))
      })
    ),
  /**
   * Changes a project. Omitted fields do not change. `computeUnits` limits the project's use of the HTTP API; null for
   * no limit.
   */
  update: (id: string, body: typeof ProjectChanges.Encoded) =>
    run(
      Effect.gen(function* () {
        const changes = yield* decodeProjectChanges(body)
        return yield* encodeProjectBody(yield* (yield* Projects).update(projectIdOf(id), changes))
      })
    )
})
