// Generated from openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in with a signature
         * @description Exchanges a signature for an access token and a refresh token, and hands out the player's whole configuration.
         *     Section [Signing](#section/Signing) says how the signature is made. Needs no bearer token.
         */
        post: operations["authLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Obtain new tokens
         * @description Obtains new tokens when the access token has expired or is about to.
         *
         *     **The reply's body is not specified.** Whether it resembles the login reply, whether the refresh token rotates, and how long a
         *     refresh token lives, the service does not say.
         */
        post: operations["authRefresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/player/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the player's status
         * @description The reply is the PlayerStatus object itself: `isPayer` is at the top level, not inside `playerConfig`.
         *
         *     Send `Content-Type: application/json` although there is no body: the service lists it among the headers of this request.
         *     OpenAPI has no way to state that header, so generated clients leave it out unless told.
         */
        get: operations["getPlayerStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/player/store_configs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the player's store configuration
         * @description The reply is the StoreConfig object itself.
         *
         *     Send `Content-Type: application/json` although there is no body: the service lists it among the headers of this request.
         *     OpenAPI has no way to state that header, so generated clients leave it out unless told.
         */
        get: operations["getPlayerStoreConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events
         * @description Takes click-stream and player-behaviour events. Several events may be sent in one request.
         *
         *     **The status code and the body of a success are not specified.** Take any 2xx as success and do not rely on a body.
         *     How many events or bytes one request may hold is not specified either.
         */
        post: operations["sendEvents"];
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
        /** @description The body of a login. */
        LoginRequest: {
            /**
             * @description API key issued to the studio (tenant).
             * @example dev-key
             */
            apiKey: string;
            /**
             * @description Unique device identifier chosen by the client.
             * @example 8f14e45f-ceea-467f-9f0b-2d3a5c1e7b60
             */
            deviceId: string;
            /**
             * @description Current UTC time, ISO 8601, in the form `YYYY-MM-DDThh:mm:ssZ`. Its characters are signed, so it is a string and not a date type.
             * @example 2026-03-01T12:00:00Z
             */
            timestamp: string;
            /**
             * @description Base64 (standard alphabet, with padding) of the HMAC-SHA256 digest of `apiKey|deviceId|timestamp`.
             * @example GvR5tljhG9EYPpIgRMUGsAh5F42lxVhZo98OrfVfgsM=
             */
            signature: string;
        };
        /** @description The login reply in either form. */
        LoginResult: components["schemas"]["LoginResponse"] | components["schemas"]["LoginEnvelope"];
        /** @description The login reply in the general format. */
        LoginEnvelope: {
            data: components["schemas"]["LoginResponse"];
            /**
             * @description The mark of a success in the general format.
             * @example success
             * @constant
             */
            status: "success";
        };
        /** @description Tokens, identifiers and the player's whole configuration. */
        LoginResponse: {
            /**
             * @description JWT used as bearer token.
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJwbGF5ZXItNTFmMCIsImlhdCI6MTc3MjM2NjQwMCwiZXhwIjoxNzcyMzcwMDAwfQ.yt7JsNWfjRCHWcLgcAzfvqkgM2W7j8HdbWaIrB5QFJQ
             */
            accessToken: string;
            /**
             * @description Token used to obtain new tokens. Its lifetime is not specified.
             * @example rt_5zq1mB0Yb3VfC2u8
             */
            refreshToken: string;
            /**
             * @description `Bearer`.
             * @example Bearer
             */
            tokenType: string;
            /**
             * Format: double
             * @description Lifetime of the access token in seconds. Samples show 3600 and 900000; read it, assume no value.
             * @example 3600
             */
            expiresIn: number;
            /**
             * @description Service-assigned player identifier.
             * @example player-51f0
             */
            userId: string;
            /**
             * @description Echo of the device identifier sent.
             * @example 8f14e45f-ceea-467f-9f0b-2d3a5c1e7b60
             */
            deviceId: string;
            /**
             * @description Game identifier that the session belongs to.
             * @example game-dragon-dash
             */
            gameId: string;
            /**
             * @description Tenant (studio) identifier.
             * @example tenant-acme
             */
            tenantId: string;
            playerConfig: components["schemas"]["PlayerConfig"];
        };
        /** @description The body of a refresh. */
        RefreshRequest: {
            /**
             * @description The refresh token of the last login or refresh.
             * @example rt_5zq1mB0Yb3VfC2u8
             */
            refreshToken: string;
        };
        /** @description Everything the service configures for one player. */
        PlayerConfig: {
            playerStatus: components["schemas"]["PlayerStatus"];
            storeConfig: components["schemas"]["StoreConfig"];
        };
        /** @description The player's status in either form. */
        PlayerStatusResult: components["schemas"]["PlayerStatus"] | components["schemas"]["PlayerStatusEnvelope"];
        /** @description The player's status in the general format. */
        PlayerStatusEnvelope: {
            data: components["schemas"]["PlayerStatus"];
            /**
             * @description The mark of a success in the general format.
             * @example success
             * @constant
             */
            status: "success";
        };
        /** @description What the service knows of the player. */
        PlayerStatus: {
            isPayer: components["schemas"]["StatusFlag"];
        };
        /** @description A flag with its current and default value. `isPayer` says whether the player is a payer. */
        StatusFlag: {
            /**
             * @description Current value.
             * @example true
             */
            value: boolean;
            /**
             * @description Value applying by default.
             * @example false
             */
            defaultValue: boolean;
            /**
             * @description Expiry of the flag; null when it does not expire. Its type when it is not null is not specified.
             * @example null
             */
            expiredAt: unknown;
        };
        /** @description The store configuration in either form. */
        StoreConfigResult: components["schemas"]["StoreConfig"] | components["schemas"]["StoreConfigEnvelope"];
        /** @description The store configuration in the general format. */
        StoreConfigEnvelope: {
            data: components["schemas"]["StoreConfig"];
            /**
             * @description The mark of a success in the general format.
             * @example success
             * @constant
             */
            status: "success";
        };
        /** @description The player's personal store. */
        StoreConfig: {
            /** @description Currently active SKUs. */
            activeSkus: components["schemas"]["Sku"][];
            /**
             * Format: int64
             * @description Timestamp of the last update, an integer. Its unit is not specified.
             * @example 1772366400000
             */
            lastUpdatedTimestamp: number;
            /**
             * @description Promotion specific to the user; null when none. Its type when it is not null is not specified.
             * @example null
             */
            userSpecificPromoId: unknown;
            /**
             * @description Fallback configuration; null when none. Its shape when it is not null is not specified.
             * @example null
             */
            fallbackConfig: unknown;
        };
        /** @description One purchasable item. */
        Sku: {
            /**
             * @description SKU identifier.
             * @example gems_small
             */
            skuId: string;
            /**
             * @description Display name.
             * @example Pouch of gems
             */
            name: string;
            /**
             * @description Display description.
             * @example 80 gems for a quick start.
             */
            description: string;
            /**
             * Format: double
             * @description List price, a decimal number.
             * @example 1.99
             */
            actualPrice: number;
            /**
             * Format: double
             * @description Price on offer, a decimal number.
             * @example 1.49
             */
            offerPrice: number;
            /**
             * @description Currency code.
             * @example EUR
             */
            currency: string;
            /**
             * @description Assets attached to the SKU; may be empty. The shape of an element is not specified.
             * @example []
             */
            assets: unknown[];
            /**
             * @description Whether the SKU is active.
             * @example true
             */
            active: boolean;
        };
        /**
         * @description One thing that happened. `Ad_Impression` is the documented kind, and its payload is AdImpressionPayload. Other kinds and their
         *     payloads are not specified: any string and any object are allowed.
         */
        PlayerEvent: {
            /**
             * @description Kind of event. `Ad_Impression` is the kind used; others are not specified, and allowed.
             * @example Ad_Impression
             */
            eventType: string;
            /**
             * @description When it happened, ISO 8601 UTC with milliseconds, in the form `YYYY-MM-DDThh:mm:ss.sssZ`.
             * @example 2026-03-01T12:00:07.250Z
             */
            timestamp: string;
            /** @description Event data. For `Ad_Impression` see AdImpressionPayload. */
            payload: {
                [key: string]: unknown;
            };
            metadata: components["schemas"]["EventMetadata"];
        };
        /** @description The payload of an `Ad_Impression` event. All four documented members are strings; which of them are required is not specified. */
        AdImpressionPayload: {
            /**
             * @description The player.
             * @example player-51f0
             */
            userId?: string;
            /**
             * @description The play session.
             * @example s-2026-03-01-1
             */
            sessionId?: string;
            /**
             * @description The ad shown.
             * @example ad-banner-7
             */
            adId?: string;
            /**
             * @description The campaign it belongs to.
             * @example spring-sale
             */
            campaignId?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Device data. All three documented members are strings; which of them are required is not specified. */
        EventMetadata: {
            /**
             * @description Kind of device.
             * @example phone
             */
            deviceType?: string;
            /**
             * @description Operating system.
             * @example Android
             */
            osName?: string;
            /**
             * @description Version of the operating system.
             * @example 14
             */
            osVersion?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description An error in either form. Tell them apart by the type of `error`. */
        ErrorBody: components["schemas"]["PlainError"] | components["schemas"]["GeneralError"];
        /** @description The form that login uses. */
        PlainError: {
            /**
             * @description What went wrong, in words.
             * @example Invalid authentication credentials
             */
            error: string;
        };
        /** @description The general error format. */
        GeneralError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description A code for programs. Its type and values are not specified.
                 * @example UNAUTHORIZED
                 */
                code: unknown;
                /**
                 * @description What went wrong, in words.
                 * @example Invalid authentication credentials
                 */
                message: string;
            };
            /**
             * @description The mark of an error in the general format.
             * @example error
             * @constant
             */
            status: "error";
        };
    };
    responses: {
        /** @description Invalid signature, or expired token. Refresh the tokens or log in again. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Any other error. Which there are is not specified; the body has the service's general error format. */
        OtherError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
    };
    parameters: {
        /**
         * @description The tenant (studio), `tenantId` of the login reply.
         * @example tenant-acme
         */
        TenantId: string;
        /**
         * @description The game, `gameId` of the login reply.
         * @example game-dragon-dash
         */
        GameId: string;
        /**
         * @description The player. Inferred, not stated by the service — it is taken to be `userId` of the login reply.
         * @example player-51f0
         */
        PlayerId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    authLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Who asks, when, and the proof. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Logged in. The player's status and store are in `playerConfig`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginResult"];
                };
            };
            /** @description The timestamp differs from the server's time by more than 5 minutes, in either direction. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    authRefresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The refresh token of the last login or refresh. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description New tokens. The shape of the body is not specified. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    getPlayerStatus: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The tenant (studio), `tenantId` of the login reply.
                 * @example tenant-acme
                 */
                "X-Tenant-ID": components["parameters"]["TenantId"];
                /**
                 * @description The game, `gameId` of the login reply.
                 * @example game-dragon-dash
                 */
                "X-Game-Id": components["parameters"]["GameId"];
                /**
                 * @description The player. Inferred, not stated by the service — it is taken to be `userId` of the login reply.
                 * @example player-51f0
                 */
                "X-Player-Id": components["parameters"]["PlayerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The player's status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerStatusResult"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    getPlayerStoreConfig: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The tenant (studio), `tenantId` of the login reply.
                 * @example tenant-acme
                 */
                "X-Tenant-ID": components["parameters"]["TenantId"];
                /**
                 * @description The game, `gameId` of the login reply.
                 * @example game-dragon-dash
                 */
                "X-Game-Id": components["parameters"]["GameId"];
                /**
                 * @description The player. Inferred, not stated by the service — it is taken to be `userId` of the login reply.
                 * @example player-51f0
                 */
                "X-Player-Id": components["parameters"]["PlayerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The player's store configuration. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreConfigResult"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    sendEvents: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The tenant (studio), `tenantId` of the login reply.
                 * @example tenant-acme
                 */
                "X-Tenant-ID": components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The events. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlayerEvent"][];
            };
        };
        responses: {
            /** @description Taken. The body is not specified. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. The body is not specified. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. The body is not specified. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
}
