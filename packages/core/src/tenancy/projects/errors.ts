import { Schema } from "effect"

/**
 * The key is missing, unknown, revoked or expired. The error does not say which, so that it does not reveal whether a
 * key exists.
 */
export class InvalidApiKey extends Schema.TaggedError<InvalidApiKey>("core/projects/InvalidApiKey")(
  "INVALID_API_KEY",
  {}
) {
  override get message(): string {
    return "The API key is missing or not valid."
  }
}

export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>("core/projects/ApiKeyNotFound")(
  "API_KEY_NOT_FOUND",
  { keyId: Schema.String }
) {
  override get message(): string {
    return `The project has no API key ${this.keyId.slice(0, 80)} that can be revoked.`
  }
}

export class ScopeMissing extends Schema.TaggedError<ScopeMissing>("core/projects/ScopeMissing")("FORBIDDEN_SCOPE", {
  scope: Schema.String
}) {
  override get message(): string {
    return `This API key lacks the scope "${this.scope}".`
  }
}

export class ProjectNameTaken extends Schema.TaggedError<ProjectNameTaken>("core/projects/ProjectNameTaken")(
  "PROJECT_NAME_TAKEN",
  { name: Schema.String }
) {
  override get message(): string {
    return `A project named "${this.name}" already exists. Choose another name.`
  }
}

/** The project is paused, because it is being moved to another database, or was moved. */
export class ProjectIsMoving extends Schema.TaggedError<ProjectIsMoving>("core/projects/ProjectIsMoving")(
  "PROJECT_IS_MOVING",
  {}
) {
  override get message(): string {
    return "The operator is moving this project to another database. Try again shortly."
  }
}

export class ProjectNotFound extends Schema.TaggedError<ProjectNotFound>("core/projects/ProjectNotFound")(
  "PROJECT_NOT_FOUND",
  { projectId: Schema.String }
) {
  override get message(): string {
    return `There is no project ${this.projectId}.`
  }
}
